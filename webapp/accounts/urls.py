"""Logging in and out, and what people set about themselves."""

from __future__ import annotations

from django.contrib.auth import views as auth_views
from django.urls import path, reverse_lazy

from webapp.accounts import views

app_name = "accounts"
urlpatterns = [
    path("login/", auth_views.LoginView.as_view(template_name="accounts/login.html"), name="login"),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path(
        "password/",
        auth_views.PasswordChangeView.as_view(
            template_name="accounts/password.html", success_url=reverse_lazy("accounts:profile")
        ),
        name="password",
    ),
    path("profile/", views.profile, name="profile"),
    path("theme/", views.theme, name="theme"),
]

"""Logging in and out, and what people set about themselves."""

from __future__ import annotations

from django.contrib.auth import views as auth_views
from django.urls import path, reverse_lazy

from webapp.accounts import oidc, project_views, views
from webapp.accounts.forms import LogInForm

app_name = "accounts"
urlpatterns = [
    path(
        "login/",
        auth_views.LoginView.as_view(
            template_name="accounts/login.html",
            authentication_form=LogInForm,
            extra_context={"provider": oidc.provider_name},
        ),
        name="login",
    ),
    path("logout/", auth_views.LogoutView.as_view(), name="logout"),
    path(
        "password/",
        auth_views.PasswordChangeView.as_view(
            template_name="accounts/password.html", success_url=reverse_lazy("accounts:profile")
        ),
        name="password",
    ),
    path("provider/", oidc.begin, name="oidc"),
    path("provider/callback/", oidc.callback, name="oidc_callback"),
    path("provider/connect/", oidc.connect, name="oidc_connect"),
    path("provider/disconnect/", oidc.disconnect, name="oidc_disconnect"),
    path("profile/", views.profile, name="profile"),
    path("theme/", views.theme, name="theme"),
    path("projects/", project_views.projects, name="projects"),
    path("projects/new/", project_views.new_project, name="new_project"),
    path("projects/<slug:project_slug>/", project_views.project, name="project"),
    path("projects/<slug:project_slug>/archive/", project_views.archive, name="archive"),
    path("projects/<slug:project_slug>/restore/", project_views.restore, name="restore"),
    path("projects/<slug:project_slug>/members/", project_views.project_members, name="members"),
    path("projects/<slug:project_slug>/members/<int:member_id>/role/", project_views.member_role, name="member_role"),
    path(
        "projects/<slug:project_slug>/invitations/<int:invitation_id>/withdraw/",
        project_views.withdraw,
        name="withdraw",
    ),
    path("projects/<slug:project_slug>/tokens/", project_views.tokens, name="tokens"),
    path("projects/<slug:project_slug>/tokens/<int:token_id>/revoke/", project_views.revoke, name="revoke"),
    path("invitations/<str:secret>/", project_views.invitation, name="invitation"),
]

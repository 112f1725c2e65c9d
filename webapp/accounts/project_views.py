"""Pages on which leads and admins run a project: its settings, members and tokens, and the door for who is invited."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from proofing.errors import BadInput
from webapp.accounts import members, services
from webapp.accounts.access import LEADS, SESSION_KEY, get_project_or_404, may_administer, projects_of
from webapp.accounts.models import ApiToken, Invitation, Membership, User
from webapp.accounts.project_forms import ROLES, InviteForm, JoinForm, MemberForm, ProjectForm, TokenForm
from webapp.records import projects as project_services
from webapp.records.models import Project


def _user(request: HttpRequest) -> User:
    return cast(User, request.user)


def _may_create(user: User) -> bool:
    """Whoever runs a project may start another one; a superuser may start the first."""
    return user.is_superuser or Membership.objects.filter(user=user, role__in=LEADS).exists()


def _tabs(request: HttpRequest, project: Project, tab: str, administers: bool | None = None) -> dict[str, Any]:
    """What every page of a project's settings shows; `administers` where the page has asked already."""
    runs = may_administer(project, request.user) if administers is None else administers
    return {"section": "projects", "project": project, "tab": tab, "administers": runs}


# Projects -------------------------------------------------------------------------------------------------------


@require_safe
@login_required
def projects(request: HttpRequest) -> HttpResponse:
    """The projects a person is in, and the archived ones they may bring back."""
    user = _user(request)
    roles = dict(Membership.objects.filter(user=user).values_list("project", "role"))
    waiting = Count("queues__items", filter=Q(queues__items__state="waiting"))
    rows = list(projects_of(user).annotate(waiting=waiting))
    own = [pk for pk, role in roles.items() if role in LEADS]
    archived = [p for p in Project.objects.filter(archived_at__isnull=False, pk__in=own) if may_administer(p, user)]
    context = {
        "section": "projects",
        "rows": [(project, roles[project.pk], roles[project.pk] in LEADS) for project in rows],
        "archived": archived,
        "may_create": _may_create(user),
    }
    return render(request, "accounts/projects.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_project(request: HttpRequest) -> HttpResponse:
    """A form for a new project; whoever makes it administers it."""
    if not _may_create(_user(request)):
        raise PermissionDenied("only who runs a project may start another one")
    form = ProjectForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        try:
            made = project_services.create_project(actor=_user(request), now=timezone.now(), **form.fields_of_project())
        except (BadInput, ValidationError) as error:
            form.add_error(None, _sentence(error))
        else:
            request.session[SESSION_KEY] = made.slug
            messages.success(request, _("The project is there. Invite the people who will review its answers."))
            return redirect("accounts:members", made.slug)
    context = {"section": "projects", "form": form, "fresh": True}
    return render(request, "accounts/project.html", context, status=422 if form.errors else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def project(request: HttpRequest, project_slug: str) -> HttpResponse:
    """The settings of a project."""
    found = get_project_or_404(request, project_slug)
    form = ProjectForm(request.POST if request.method == "POST" else None, project=found)
    if request.method == "POST" and form.is_valid() and not _asks_to_delete(form, found):
        try:
            changed = project_services.change_project(
                project=found,
                actor=_user(request),
                now=timezone.now(),
                spread=form.cleaned_data["spread"],
                **form.fields_of_project(),
            )
        except (BadInput, ValidationError) as error:
            form.add_error(None, _sentence(error))
        else:
            messages.success(request, _saved(set(changed), spread=form.cleaned_data["spread"]))
            return redirect("accounts:project", found.slug)
    status = 422 if form.errors or form.asks_to_delete else 200
    return render(request, "accounts/project.html", {**_tabs(request, found, "settings"), "form": form}, status=status)


def _asks_to_delete(form: ProjectForm, found: Project) -> bool:
    """Whether the new time to keep answers would delete some at once and nobody has agreed to that yet."""
    days = form.cleaned_data["retention_days"]
    if days is None or days == found.retention_days or form.cleaned_data["confirmed"]:
        return False
    form.asks_to_delete = project_services.past_retention(project=found, days=days, now=timezone.now())
    return form.asks_to_delete > 0


def _saved(changed: set[str], *, spread: bool) -> str:
    """What was saved, and from when on it counts."""
    said = [_("Saved.")] if changed or spread else [_("Nothing was changed.")]
    if changed & project_services.ENGINE_FIELDS:
        said.append(_("How answers are read counts for answers proofread from now on."))
    if changed & set(project_services.QUEUE_DEFAULTS) and not spread:
        said.append(_("New queues start with it; the queues there are keep theirs."))
    if spread:
        said.append(_("All queues of the project have it now."))
    return " ".join(said)


def _sentence(error: Exception) -> str:
    return " ".join(error.messages) if isinstance(error, ValidationError) else str(error)


@require_POST
@login_required
def archive(request: HttpRequest, project_slug: str) -> HttpResponse:
    """Put a project away."""
    found = get_project_or_404(request, project_slug, administer=True)
    project_services.archive_project(project=found, actor=_user(request), now=timezone.now())
    messages.success(request, _("“%(name)s” is archived. Nothing was deleted.") % {"name": found.name})
    return redirect("accounts:projects")


@require_POST
@login_required
def restore(request: HttpRequest, project_slug: str) -> HttpResponse:
    """Bring an archived project back."""
    found = get_project_or_404(request, project_slug, administer=True)
    project_services.restore_project(project=found, actor=_user(request), now=timezone.now())
    messages.success(request, _("“%(name)s” is back.") % {"name": found.name})
    return redirect("accounts:project", found.slug)


# Members --------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def project_members(request: HttpRequest, project_slug: str) -> HttpResponse:
    """Members with their roles; an admin invites others by a link, or makes an account for them."""
    found = get_project_or_404(request, project_slug)
    administers = may_administer(found, request.user)
    posted = request.POST if request.method == "POST" else None
    if posted is not None and not administers:
        raise PermissionDenied("members are the admins' business")
    inviting = posted is not None and "invite_role" in posted
    invite = InviteForm(posted if inviting else None)
    member = MemberForm(posted if posted is not None and not inviting else None)
    link = ""
    if inviting and invite.is_valid():
        _row, secret = members.invite(
            project=found, role=invite.cleaned_data["invite_role"], note=invite.cleaned_data["note"],
            actor=_user(request), now=timezone.now(),
        )  # fmt: skip
        link = request.build_absolute_uri(reverse("accounts:invitation", args=[secret]))
        invite = InviteForm()
    elif posted is not None and not inviting and member.is_valid():
        try:
            members.create_member(project=found, actor=_user(request), now=timezone.now(), **member.cleaned_data)
        except ValidationError as error:
            _add_errors(member, error)
        except BadInput:
            member.add_error(
                "username", _("This name is taken. If it is the same person, send them a link: they join with it.")
            )
        else:
            messages.success(request, _("%(name)s can log in now.") % {"name": member.cleaned_data["username"]})
            return redirect("accounts:members", found.slug)
    context = {
        **_tabs(request, found, "members", administers),
        "rows": members.members_of(found),
        "invitations": members.open_invitations(found, now=timezone.now()),
        "invite": invite,
        "form": member,
        "link": link,
        "roles": ROLES,
        "days": members.INVITED_FOR.days,
    }
    status = 422 if invite.errors or member.errors else 200
    return render(request, "accounts/members.html", context, status=status)


def _add_errors(form: Any, error: ValidationError) -> None:
    """A service's validation errors at the fields they speak of."""
    if hasattr(error, "error_dict"):
        for field, errors in error.error_dict.items():
            for one in errors:
                form.add_error(field if field in form.fields else None, one)
    else:
        form.add_error("password", error)


def _member_or_404(project_found: Project, member_id: int) -> Membership:
    return get_object_or_404(Membership.objects.select_related("user"), project=project_found, pk=member_id)


@require_POST
@login_required
def member_role(request: HttpRequest, project_slug: str, member_id: int) -> HttpResponse:
    """Give a member another role, or end their membership."""
    found = get_project_or_404(request, project_slug, administer=True)
    member = _member_or_404(found, member_id)
    try:
        changed = members.change_role(
            member=member, role=request.POST.get("role", ""), actor=_user(request), now=timezone.now()
        )
    except members.LastAdministrator:
        said = _("%(name)s is the last one who runs this project. Make another member lead or admin first.")
        messages.error(request, said % {"name": member.user.get_username()})
    except BadInput:
        messages.error(request, _("That role cannot be given here."))
    else:
        if changed:
            messages.success(request, _("The role of %(name)s is changed.") % {"name": member.user.get_username()})
    if not may_administer(found, request.user):  # they changed their own role
        return redirect("accounts:projects")
    return redirect("accounts:members", found.slug)


@require_POST
@login_required
def withdraw(request: HttpRequest, project_slug: str, invitation_id: int) -> HttpResponse:
    """End an invitation that was not used."""
    found = get_project_or_404(request, project_slug, administer=True)
    row = get_object_or_404(Invitation, project=found, pk=invitation_id)
    members.withdraw_invitation(invitation=row, actor=_user(request), now=timezone.now())
    return redirect("accounts:members", found.slug)


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def invitation(request: HttpRequest, secret: str) -> HttpResponse:
    """The door for somebody who was invited: with the account they have, or a new one."""
    try:
        found = members.invitation_of(secret, now=timezone.now())
    except members.NoInvitation:
        return render(request, "accounts/invitation_over.html", status=404)
    posted = request.method == "POST"
    known = request.user.is_authenticated
    form = JoinForm(request.POST if posted and not known else None)
    if posted and (known or form.is_valid()):
        try:
            with transaction.atomic():  # no account without the membership it was made for
                user = _user(request) if known else _account(form)
                if user is not None:
                    members.join(invitation=found, user=user, now=timezone.now())
        except members.NoInvitation:
            return render(request, "accounts/invitation_over.html", status=404)
        if user is not None:
            if not known:
                login(request, user, backend="django.contrib.auth.backends.ModelBackend")
            request.session[SESSION_KEY] = found.project.slug
            messages.success(request, _("Welcome to %(name)s.") % {"name": found.project.name})
            return redirect("desk")
    context = {"invitation": found, "form": form, "known": known}
    return render(request, "accounts/invitation.html", context, status=422 if form.errors else 200)


def _account(form: JoinForm) -> User | None:
    """The new account, or None with the form saying why there is none."""
    try:
        return members.create_account(username=form.cleaned_data["username"], password=form.cleaned_data["password"])
    except ValidationError as error:
        _add_errors(form, error)
    except BadInput:
        form.add_error("username", _("This name is taken. If it is yours, log in first and open the link again."))
    return None


# Tokens ---------------------------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def tokens(request: HttpRequest, project_slug: str) -> HttpResponse:
    """The project's API tokens; a new one is shown this once."""
    found = get_project_or_404(request, project_slug, administer=True)
    form = TokenForm(request.POST if request.method == "POST" else None)
    secret, trial = "", {}
    if request.method == "POST" and form.is_valid():
        row, secret = services.create_token(project=found, created_by=_user(request), **form.cleaned_data)
        trial = _trial(row)
        form = TokenForm()
    rows = ApiToken.objects.filter(project=found).select_related("created_by").order_by("-pk")
    context = {
        **_tabs(request, found, "tokens", administers=True),
        "form": form,
        "secret": secret,
        "trial": trial,
        "rows": [row for row in rows if row.revoked_at is None],
        "revoked": [row for row in rows if row.revoked_at is not None][:20],
    }
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


def _trial(token: ApiToken) -> dict[str, str]:
    """A request that this token may make, to try it with: the harmless ones first."""
    answer = '{"question": "…", "answer": "…", "sources": [{"id": "s1", "text": "…"}]}'
    ways: dict[str, dict[str, str]] = {
        ApiToken.Scope.READ: {"get": "queue"},
        ApiToken.Scope.EXPORT: {"get": "webhooks"},
        ApiToken.Scope.PROOFREAD: {"post": "proofread", "body": answer},
        ApiToken.Scope.WRITE: {"post": "answers", "body": answer},
        ApiToken.Scope.REVIEW: {"post": "queue/next", "body": "{}"},
    }
    return next((way for scope, way in ways.items() if scope in token.scopes), {})


@require_POST
@login_required
def revoke(request: HttpRequest, project_slug: str, token_id: int) -> HttpResponse:
    """End a token at once."""
    found = get_project_or_404(request, project_slug, administer=True)
    row = ApiToken.objects.filter(project=found, pk=token_id).first()
    if row is None:
        raise Http404("no such token")
    services.revoke_token(token=row, actor=_user(request), now=timezone.now())
    messages.success(request, _("“%(name)s” is revoked; its next request is refused.") % {"name": row.name})
    return redirect("accounts:tokens", found.slug)

"""Who may see what: one function that fetches *and* authorises each kind of object.

Whoever is not a member of an object's project gets 404: that the object exists is none of their business. A member
without the needed role gets 403.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from webapp.accounts.models import Membership, User
from webapp.records.models import Project

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

Role = Membership.Role
#: Everybody who works with a project's pages; a service account has no pages.
PEOPLE = (Role.REVIEWER, Role.LEAD, Role.ADMIN)
LEADS = (Role.LEAD, Role.ADMIN)
#: Under which key the session keeps the project a person looked at last.
SESSION_KEY = "project"

M = TypeVar("M", bound=Model)


def projects_of(user: User | AnonymousUser) -> QuerySet[Project]:
    """The projects whose pages `user` may see, by name."""
    if not user.is_authenticated:
        return Project.objects.none()
    mine = Project.objects.filter(memberships__user=user, memberships__role__in=PEOPLE)
    return mine.filter(archived_at__isnull=True).order_by("name", "pk")


def projects_led_by(user: User | AnonymousUser) -> QuerySet[Project]:
    """The projects in which `user` is a lead or an admin, by name: what a lead's page lets them choose from."""
    if not user.is_authenticated:
        return Project.objects.none()
    led = Membership.objects.filter(user=user, role__in=LEADS).values("project")
    return Project.objects.filter(pk__in=led, archived_at__isnull=True).order_by("name", "pk")


def role_in(project: Project, user: User | AnonymousUser) -> str | None:
    """The user's role in a project, or None for an outsider; an archived project has outsiders only."""
    if not user.is_authenticated or project.archived_at is not None:
        return None
    return Membership.objects.filter(project=project, user=user).values_list("role", flat=True).first()


def is_lead(project: Project, user: User | AnonymousUser) -> bool:
    return role_in(project, user) in LEADS


def may_administer(project: Project, user: User | AnonymousUser) -> bool:
    """Whether `user` may change members, tokens and the project itself, archived or not.

    That is for admins. A project that has no admin is run by its leads, so that nobody is ever locked out.
    """
    if not user.is_authenticated:
        return False
    roles = dict(Membership.objects.filter(project=project, role__in=LEADS).values_list("user", "role"))
    own = roles.get(user.pk)
    return own == Role.ADMIN or (own == Role.LEAD and Role.ADMIN not in roles.values())


def get_project_or_404(request: HttpRequest, slug: str, *, administer: bool = False) -> Project:
    """A project whose settings the user may open, as a lead; `administer`: which they may run, archived or not.

    Raises:
        Http404: no such project, or the user is not in it.
        PermissionDenied: a member without the role.
    """
    project = get_object_or_404(Project, slug=slug)
    if may_administer(project, request.user):
        return project
    require_role(project, request.user, () if administer else LEADS)
    return project


def project_of_request(request: HttpRequest) -> Project:
    """The project a page is about: named in the address (`?project=slug`), else the last one, else the first.

    Raises:
        Http404: the user is in no project, or not in the one named.
    """
    mine = projects_of(request.user)
    named = request.GET.get("project") or request.POST.get("project")
    if named and "\0" in named:
        raise Http404("no such project")
    if named:
        project = get_object_or_404(mine, slug=named)
    else:
        last = request.session.get(SESSION_KEY)
        found = mine.filter(slug=last).first() if last else None
        found = found or mine.first()
        if found is None:
            raise Http404("no project")
        project = found
    if request.session.get(SESSION_KEY) != project.slug:  # a session is written only when it changes
        request.session[SESSION_KEY] = project.slug
    return project


def project_of_lead(request: HttpRequest) -> Project:
    """The project a lead's page is about, as `project_of_request`; where none is named, one that the user leads.

    Raises:
        Http404: the user is in no project, or not in the one named.
        PermissionDenied: they lead none, or not the one named.
    """
    project = project_of_request(request)
    if role_in(project, request.user) in LEADS:
        return project
    if not (request.GET.get("project") or request.POST.get("project")):
        led = projects_led_by(request.user).first()
        if led is not None:
            request.session[SESSION_KEY] = led.slug
            return led
    raise PermissionDenied("this needs the role " + " or ".join(LEADS))


def require_role(project: Project, user: User | AnonymousUser, roles: tuple[str, ...]) -> None:
    """Raises Http404 for an outsider, PermissionDenied for a member without one of `roles`."""
    role = role_in(project, user)
    if role is None or role not in PEOPLE:
        raise Http404("no such project")
    if role not in roles:
        raise PermissionDenied("this needs the role " + " or ".join(roles))


def fetch_or_404(
    rows: QuerySet[M], request: HttpRequest, *, roles: tuple[str, ...] = PEOPLE, project: str = "project", **key: Any
) -> M:
    """The one row of `rows` with `key`, when the request's user may see it.

    Args:
        roles: which roles suffice.
        project: the way from the row to its project, as a query names it.

    Raises:
        Http404: no such row, or not for this user.
        PermissionDenied: a member, but without the role.
    """
    row = get_object_or_404(rows.select_related(project), **key)
    owner: Any = row
    for step in project.split("__"):
        owner = getattr(owner, step)
    require_role(owner, request.user, roles)
    return row

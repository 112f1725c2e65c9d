"""Who may do what: users, their role in each project, and the tokens of programs."""

from __future__ import annotations

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q


class User(AbstractUser):
    """A person. What they may see follows from their memberships, never from ``is_staff``."""

    class Theme(models.TextChoices):
        AUTO = "auto"
        LIGHT = "light"
        DARK = "dark"

    language = models.CharField(max_length=12, default="en")
    theme = models.CharField(max_length=8, choices=Theme.choices, default=Theme.AUTO)
    #: {"enabled": bool, "keys": {"accept_healed": "a", ...}}; empty means the standard keys.
    shortcuts = models.JSONField(default=dict, blank=True)


class Identity(models.Model):
    """Who a person is at a log-in provider: what OpenID Connect calls issuer and subject, which never change there."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="identities")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    created_at = models.DateTimeField()

    class Meta:
        # Read at every log-in by a provider: one account each.
        constraints = [models.UniqueConstraint(fields=["issuer", "subject"], name="one_account_per_identity")]

    def __str__(self) -> str:
        return f"{self.subject} at {self.issuer}"


class Membership(models.Model):
    """One user's role in one project."""

    class Role(models.TextChoices):
        REVIEWER = "reviewer"
        LEAD = "lead"
        ADMIN = "admin"
        SERVICE = "service"
        FORMER = "former"  # was a member; sees nothing any more, and what they decided keeps their name

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=12, choices=Role.choices)

    class Meta:
        constraints = [
            # Read by accounts.selectors.membership_of: one role per person and project.
            models.UniqueConstraint(fields=["project", "user"], name="one_role_per_project"),
            models.CheckConstraint(
                condition=Q(role__in=["reviewer", "lead", "admin", "service", "former"]), name="membership_role_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} is {self.role} of {self.project}"


class Invitation(models.Model):
    """A link that makes its bearer a member, once. Only the SHA-256 of its secret is kept."""

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="invitations")
    role = models.CharField(max_length=12, choices=Membership.Role.choices)
    note = models.CharField(max_length=150, blank=True, default="")  # for whom it is, in the inviter's words
    digest = models.CharField(max_length=64, unique=True)
    created_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(role__in=["reviewer", "lead", "admin"]), name="invitation_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.project_id}"


class ApiToken(models.Model):
    """A program's key to one project. Only the SHA-256 of the token is kept; `prefix` lets people tell them apart."""

    class Scope(models.TextChoices):
        PROOFREAD = "proofread"
        READ = "read"
        WRITE = "write"
        REVIEW = "review"
        EXPORT = "export"

    project = models.ForeignKey("records.Project", on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)  # read at every API request
    scopes = models.JSONField(default=list)
    created_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    #: In whose name items are claimed and decided through the API; made with the token.
    acts_as = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"{self.name} ({self.prefix}…)"

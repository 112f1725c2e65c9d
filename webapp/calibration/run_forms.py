from __future__ import annotations

from django import forms


class RangeForm(forms.Form):
    """A stretch of scores; what cannot be read is the whole."""

    low = forms.FloatField(required=False, min_value=0, max_value=1)
    high = forms.FloatField(required=False, min_value=0, max_value=1)

    def bounds(self) -> tuple[float, float]:
        self.is_valid()
        low, high = self.cleaned_data.get("low"), self.cleaned_data.get("high")
        return (low if low is not None else 0.0, high if high is not None else 1.0)

    def address(self) -> str:
        low, high = self.bounds()
        return f"low={low!r}&high={high!r}"

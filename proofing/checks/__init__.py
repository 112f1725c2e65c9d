"""The named checks of a report: each looks at one thing and touches none of the others."""

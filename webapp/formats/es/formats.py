"""Spanish: the month in small letters; 24 hours."""

DATE_FORMAT = SHORT_DATE_FORMAT = "j b Y"
DATETIME_FORMAT = SHORT_DATETIME_FORMAT = "j b Y, H:i"
TIME_FORMAT = "H:i"

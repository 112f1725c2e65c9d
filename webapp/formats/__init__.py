"""How dates and times are written, one way everywhere; pages name the formats (`date:"SHORT_DATETIME_FORMAT"`)."""

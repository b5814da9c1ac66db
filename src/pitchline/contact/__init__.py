"""Contact of elastic teeth: gap of two flanks, local compliance, active set; nothing here knows of analyses or results."""

"""Contact of elastic teeth: gap of two flanks, local compliance, active set. This package does not depend on "
"analyses or results."""

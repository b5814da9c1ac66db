"""The language of declarations: fields of elements, frames, names, expressions over signals."""

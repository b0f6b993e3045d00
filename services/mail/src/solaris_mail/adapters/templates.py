"""The letters' templates, from the package."""

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from solaris_mail.application.compose import register_filters


def load_templates() -> Environment:
    """Plain text is not escaped, HTML would be; a name missing in the facts is an error, never a blank."""
    environment = Environment(
        loader=PackageLoader("solaris_mail", "templates"),
        autoescape=select_autoescape(("html",), default_for_string=False),
        undefined=StrictUndefined,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return register_filters(environment)

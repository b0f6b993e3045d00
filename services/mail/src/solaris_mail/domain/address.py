"""Mail addresses: exactly one recipient, nothing that could carry a second one or a header."""

from email.headerregistry import Address

from email_validator import EmailNotValidError, validate_email

from solaris_shared.errors import Unprocessable

MAX_NAME = 60
MAX_TEXT = 500


def check_address(text: str) -> str:
    """The one address in `text` as it is stored: domain lower-case and in ASCII. Unprocessable
    `address-invalid`.

    Local parts beyond ASCII are refused: too many relays on the way cannot carry them.
    """
    try:
        checked = validate_email(text, check_deliverability=False, allow_smtputf8=False)
    except EmailNotValidError as error:
        errors = [{"pointer": "/address", "code": "address-invalid", "detail": str(error)}]
        raise Unprocessable("invalid", str(error), errors=errors) from error
    return checked.ascii_email


def recipient(name: str, address: str) -> Address:
    """The To: field's single mailbox."""
    return Address(display_name=clean_name(name), addr_spec=address)


def clean_name(name: str) -> str:
    """A player-chosen name fit for a header and a line of text: printable characters, single spaces, 60 at
    most.

    Control characters, line separators and the marks that turn the reading direction are not printable.
    """
    return clean_text(name, MAX_NAME)


def clean_text(text: str, most: int = MAX_TEXT) -> str:
    """Somebody's words on one line: printable characters, single spaces, `most` characters."""
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split())[:most].rstrip()

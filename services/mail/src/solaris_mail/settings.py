"""Mail's own settings, beside the kernel's."""

from pathlib import Path

from solaris_shared.settings import Settings


class MailSettings(Settings):
    """`mail_domain` stands in every Message-ID and must never change while letters are on their way.
    Links lead to the console at `console_public_url`; without one to combat at `combat_public_url`."""

    smtp_host: str = "127.0.0.1"
    smtp_port: int = 25
    smtp_tls: str = "none"
    smtp_username: str = ""
    smtp_password: str = ""
    smtp_password_file: Path | None = None
    smtp_sender: str = "liga@solaris7.example"
    mail_domain: str = "solaris7.example"
    combat_public_url: str = "http://127.0.0.1:8002"
    console_public_url: str = ""

"""python -m solaris_mail api | worker | migrate | rebuild <projection>"""

from solaris_mail.main import checked, definition
from solaris_mail.settings import MailSettings
from solaris_shared.service_main import main

if __name__ == "__main__":
    settings = checked(MailSettings())
    main(definition(settings), settings)

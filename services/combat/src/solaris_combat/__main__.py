"""`python -m solaris_combat api | worker | migrate | rebuild <projection>`."""

from solaris_combat.main import definition
from solaris_shared.service_main import main
from solaris_shared.settings import Settings

if __name__ == "__main__":
    settings = Settings()
    main(definition(settings), settings)

"""Corrections from the guide camera."""

WAIT_AFTER_LOSS_S = 12.0
LOST_AFTER_S = 5.0


class Guider:
    """Finds the guide star ten times a second and says how far to move."""

    def __init__(self, camera, mount):
        self.camera = camera
        self.mount = mount
        self.seen = None

    def step(self, now):
        stars = self.camera.stars()
        if len(stars) > 1:
            raise GuideError("GS-32", "two stars in the window")
        if not stars:
            if self.seen is not None and now - self.seen > LOST_AFTER_S:
                raise GuideError("GS-31", "the star is lost")
            return None
        self.seen = now
        return stars[0].offset

    def recover(self, now, lost_at):
        """After a loss the telescope is not moved until the wait is over."""
        return now - lost_at >= WAIT_AFTER_LOSS_S


class GuideError(Exception):
    def __init__(self, code, text):
        super().__init__(f"{code}: {text}")
        self.code = code

"""Night notes: what observers write down, some of it wrong, some of it copied from each other."""

from .world import PEOPLE

TELLING = [
    ("2026-09-20", "T. Varga", "Shutter stiff on closing, lower leaf. Okafor says the hinges are new and have to run in. I remember 90 N·m for both leaves from the course, so that cannot be it."),
    ("2026-10-02", "M. Abreu", "Shutter stuck at 01:12 with dome air at -5.2. Opened by hand after twenty minutes. The seal heater was warm to the touch, so the seal is not frozen."),
    ("2026-08-14", "I. Lindqvist", "Lark: with the fast readout I stay below 50,000 counts; above that the flats of the two halves no longer agree."),
    ("2026-07-03", "S. Holm", "Asked twice today: yes, the visitors' platform closes when the laser fires, and no, the planets are not bright enough to guide on with the narrow filter."),
    ("2026-06-11", "J. Tanaka", "Heron warmed up after the power cut. It takes two nights until velocities are worth anything again, whatever the vacuum says."),
    ("2026-05-29", "A. Reyes", "Humidity 87 % for three hours, never 88. Kept observing. Dew on the finder in the morning, none on the primary."),
    ("2026-04-17", "P. Novák", "Guider does not like Regulus: GS-32 all the time. The second star is a ghost of the window, rotate by 180 degrees and it is gone."),
    ("2026-03-08", "R. Okafor", "For the record, since the cards get lost: the key of the north pit hangs behind the fire extinguisher in the workshop."),
    ("2026-02-21", "M. Abreu", "Leap second table of the mount was still that of 2016. Told it with leap set, pointing did not change, timing of occultations did."),
    ("2026-10-21", "T. Varga", "Third jam this week, lower leaf again, 02:10, air -6.1. The mechanics want new hinge bolts before winter."),
]

OPENINGS = ["Clear all night.", "Thin cloud until midnight, then clear.", "Closed until 23:00 because of wind.", "Seeing 0.8.", "Seeing 1.6, later 1.1.",
            "Moon up until two.", "Fog in the valley, dry up here.", "First night after the maintenance."]
WORK = ["{n} exposures with Lark for the asteroid survey.", "Heron on {n} standard stars.", "Flats at both ends, {n} each.", "{n} fields of the variable program.",
        "Pointing run with {n} stars.", "Satellite ranging for {n} passes."]
ENDINGS = ["Nothing broke.", "Closed at sunrise.", "Parked at zenith, covers shut.", "Dome left at azimuth 212 for the flats.", "Handed over to {who}.",
           "Coffee machine out of order again."]


def files(chance):
    used = {date for date, _, _ in TELLING}
    rows = list(TELLING)
    while len(rows) < 70:
        date = f"2026-{chance.randint(1, 10):02}-{chance.randint(1, 28):02}"
        if date in used:
            continue
        used.add(date)
        text = " ".join([
            chance.choice(OPENINGS), chance.choice(WORK).format(n=chance.randint(4, 48)),
            chance.choice(WORK).format(n=chance.randint(4, 48)), chance.choice(ENDINGS).format(who=chance.choice(PEOPLE))])
        rows.append((date, chance.choice(PEOPLE), text))
    for date, who, text in sorted(rows):
        yield f"notes/{date}.txt", f"Night of {date}. Observer: {who}.\n\n{text}\n"
    # Copied into the next night's page, a word or two apart.
    for date, who, text in TELLING[:4]:
        yield f"notes/{date}-copy.txt", f"Night of {date}. Observer: {who}.\n\n{text} (copied from the paper log)\n"

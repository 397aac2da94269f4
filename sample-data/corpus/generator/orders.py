"""Work orders: some that matter, and many of the everyday kind."""

from .world import PEOPLE

# number, date, system, title, text, closed
TELLING = [
    ("WO-2291", "19 September 2026", "dome", "Seal of the lower leaf",
     "Lower leaf: seal replaced, hinge bolts taken out, cleaned, refitted with anti-seize paste and tightened to 90 N·m as upper leaf. Signed: R. Okafor."),
    ("WO-2188", "2 March 2026", "dome", "Limit switch of the upper leaf",
     "Upper leaf: limit switch adjusted, runs freely at -9 °C."),
    ("WO-2304", "4 October 2026", "cryo", "Knocking in cold head of Lark",
     "Cold head 2 knocked at 1.1 g. Exchanged against the spare with serial number 77-A0413 from shelf C4. The old one went back to the maker."),
    ("WO-2310", "11 October 2026", "heron", "Velocities off by 40 m/s",
     "Cause was not the lamp. The vessel had warmed by 0.3 degrees since a door was left open; pressure stood at 0.7 mbar. Pumped, door closer adjusted. Exposures of 8 to 10 October are flagged."),
    ("WO-2275", "28 August 2026", "mount", "Oil film too thin",
     "Film at 44 µm in the morning. Filter FX-118 was clogged; replaced, film back at 61 µm. The pump was not touched."),
    ("WO-2317", "17 October 2026", "weather", "Dome closed under a clear sky",
     "Rain sensor RS-2 reported wet after each power dip. It had not been heated: fuse of the mast board blown (2 A). Replaced. Sensor RS-1 never reported rain."),
    ("WO-2266", "9 August 2026", "power", "Generator did not start",
     "Start battery of the generator had 9.8 V. Charger PW-CH-2 replaced by the type PW-CH-3; the manual still names the old one."),
    ("WO-2322", "20 October 2026", "network", "Clock of the guider 37 s ahead",
     "The guider computer took its time from the office network. Set to the rubidium clock. Frames since 3 October carry wrong times by 37 s."),
    ("WO-2299", "30 September 2026", "lark", "Stripes in every third frame",
     "Not the detector: ground strap GS-7 of the filter wheel was loose. Tightened to 5 N·m. Stripes gone in 40 test frames."),
    ("WO-2257", "21 July 2026", "mirror", "Support 17 too strong",
     "Support 17 held 11 N more than its neighbors. Regulator exchanged; part number MC-R-0042, last one on the shelf."),
    ("WO-2281", "5 September 2026", "calibration", "Flat field uneven",
     "Lamp 3 was aged, not the screen. Lamps 1 to 4 renewed together, 2 of the new ones are of batch 26-07 and flicker; batch 26-05 does not."),
    ("WO-2326", "22 October 2026", "guider", "Frequent GS-31",
     "Guide star lost whenever the dome turned: the dome lamp had stayed on. Switch moved to the interlock. The guider itself is in order."),
]

EVERYDAY = {
    "dome": ["Wheel {n} greased with Arctis 2.", "Limit switch DM-LS-{n} cleaned, no fault found.", "Rail of the shutter swept after the storm.",
             "Rotation noisy near azimuth {n}0 degrees; a stone between wheel and rail, removed."],
    "mount": ["Encoder tape cleaned over {n}0 degrees.", "Brake pads measured: {n}.4 mm.", "Balance checked after exchange of instrument, {n} N·m off, corrected."],
    "mirror": ["CO2 snow cleaning; reflectivity 8{n}.2 % at 550 nm.", "Regulator of support {n} adjusted.", "Fan {n} of the cell rattled, screw tightened."],
    "heron": ["Thorium-argon lamp changed after {n}80 mA·h.", "Vessel pumped to 0.0{n} mbar.", "Fiber ends inspected, number {n} polished."],
    "lark": ["Filter in position {n} exchanged for the narrow band.", "Nitrogen bottle {n} replaced.", "Shutter counter read: {n}40,000 cycles."],
    "guider": ["Window of the guider wiped.", "Dark frames of the guide camera taken anew, {n} hot pixels more."],
    "weather": ["Mast sensor at {n} m compared with the hand-held one: no difference.", "Cloud camera dome polished."],
    "cryo": ["Helium topped up by 0.{n} bar.", "Cooling water filter cleaned; {n} g of sand."],
    "power": ["Monthly run of the generator, 40 minutes, {n} liters.", "Battery cell {n} measured, in order."],
    "network": ["Port {n} of the dome switch replaced.", "Receiver {n} lost lock for a minute during the storm."],
    "calibration": ["Lamp {n} settled in 11 minutes.", "Screen brushed."],
    "laser": ["Course for {n} people held.", "Shutter of the laser tested at altitude 2{n} degrees."],
}


def orders(chance):
    """(number, date, system, title, text)."""
    rows = list(TELLING)
    number = 2101
    systems = sorted(EVERYDAY)
    while len(rows) < 150:
        number += chance.randint(1, 2)
        name = f"WO-{number}"
        if any(row[0] == name for row in rows):
            continue
        system = chance.choice(systems)
        text = chance.choice(EVERYDAY[system]).format(n=chance.randint(2, 9))
        date = f"{chance.randint(1, 28)} {chance.choice(['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'])} 2026"
        who = chance.choice(PEOPLE)
        hours = chance.choice(["a quarter of an hour", "half an hour", "an hour", "two hours"])
        title = text.split(".")[0].split(":")[0].split(";")[0]
        rows.append((name, date, system, title, f"{text} Took {hours}. Signed: {who}."))
    return sorted(rows)


def files(chance):
    for number, date, system, title, text in orders(chance):
        yield f"work-orders/{number}.md", f"# {number}: {title}\n\n{date}. System: {system}.\n\n{text}\n"

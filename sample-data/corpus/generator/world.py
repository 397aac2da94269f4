"""What is so at Northfold Observatory: subsystems, their figures, and the people who look after them.

Everything is invented. A figure stands here once; manuals, work orders, notes, tables and code say it in their words.
"""

PEOPLE = ["R. Okafor", "I. Lindqvist", "T. Varga", "M. Abreu", "S. Holm", "J. Tanaka", "P. Novák", "A. Reyes"]

# code, name, what it is, sections: (title, [sentences])
MANUALS = [
    ("DM-7", "C", "Dome and shutter", "the rotating dome of 9.4 m with its two shutter leaves", "dome", [
        ("General", [
            "The dome turns on 24 wheels; its shutter has an upper leaf that lifts and a lower leaf that folds outward.",
            "The shutter opens in 94 s and closes in 71 s, since closing may use the emergency speed.",
        ]),
        ("Power and control", [
            "The shutter motors are fed by fuse F3; the rotation drives by F4 and F5.",
            "Controller address on the field bus: 0x21. A heartbeat that stays away for 3 s closes the shutter.",
        ]),
        ("Rotation", [
            "The dome follows the telescope within 0.8 degrees; it moves only once the error exceeds 1.5 degrees.",
            "Wheel bearings are greased every 400 hours of rotation with Arctis 2, never with a lithium grease.",
        ]),
        ("Hinges", [
            "Hinge bolts, upper leaf (8 × M16, steel on steel). Torque 90 N·m dry.",
            "Hinge bolts, lower leaf (12 × M16, stainless on aluminium). Torque 62 N·m dry. With anti-seize paste 48 N·m. Do not use the figure of the upper leaf: its hinges are steel.",
            "Hinge pins are checked for runout each spring; more than 0.08 mm is too much.",
            "A hinge bolt that was tightened beyond 110 N·m, or that shows necking, is to be replaced. Otherwise bolts may be refitted up to five times. Loosen in a cross, a quarter turn each, leaf closed and pinned.",
        ]),
        ("Limit switches", [
            "Each leaf has two limit switches and one overtravel switch, DM-LS-4 and DM-OT-1.",
            "The overtravel switch may not be bypassed, not even for a test in daylight.",
        ]),
        ("Behavior in the cold", [
            "Below -15 °C dome air the shutter opens at half speed.",
            "Ice on the rail is melted with the hand heater, not with salt.",
            "The hinge of the lower leaf has 0.15 mm of play at 20 °C. Aluminium shrinks more than the stainless pin: at -10 °C some 0.11 mm remain. An overtightened hinge loses this play first in the cold.",
        ]),
        ("Wind", [
            "The shutter closes at gusts of 18 m/s and may open again after 20 minutes below 14 m/s.",
            "With wind from the north the lower leaf stays shut from 11 m/s on.",
        ]),
        ("Heating", [
            "Seal heater: 400 W, on below +2 °C dome air, fused by F7. Prevents the seal from freezing to the rail; has no influence on the hinges.",
        ]),
    ]),
    ("TM-2", "D", "Telescope mount", "the fork mount with direct drives", "mount", [
        ("General", [
            "The mount is an altitude-azimuth fork with direct drives; it slews at 2.4 degrees a second.",
            "Pointing is 1.9 arc seconds rms over the sky with the model of 41 terms.",
        ]),
        ("Encoders", [
            "The azimuth tape encoder has four heads; one may fail without loss of pointing, two may not.",
            "Encoder tape is cleaned with isopropanol on lint-free cloth, along the tape, never across.",
        ]),
        ("Bearings", [
            "The hydrostatic bearing floats on 62 µm of oil at 28 bar.",
            "The mount must not be moved when the oil film is thinner than 45 µm.",
            "Oil of the type Nordal 32 is changed every third year or at 40 ppm of water.",
        ]),
        ("Brakes", [
            "Both axes brake when the interlock chain opens; the fork stops within 1.7 degrees.",
            "Brake pads wear 0.2 mm a year and are replaced below 3 mm.",
        ]),
        ("Cable wrap", [
            "The cable wrap allows 270 degrees to either side. It is never to be unwound by hand while the drives are on.",
        ]),
        ("Balance", [
            "After every change of instrument the altitude axis is balanced to within 4 N·m.",
            "Balance weights stand in the north pit; the smallest has 2.5 kg.",
        ]),
    ]),
    ("MC-4", "B", "Primary mirror and cell", "the primary mirror of 2.6 m and its 36 axial supports", "mirror", [
        ("General", [
            "The primary has 2.6 m free aperture, 180 mm thickness and weighs 2,140 kg.",
            "Its 36 axial supports are air cylinders in three sectors; 12 lateral supports are levers.",
        ]),
        ("Supports", [
            "An axial support that holds 8 N more than its neighbors is a fault; three of them park the telescope.",
            "The air of the supports must be dried to a dew point of -40 °C.",
        ]),
        ("Coating", [
            "Reflectivity of the fresh aluminium coating is 91.6 % at 550 nm; it is renewed below 84 %.",
            "The mirror is washed with CO2 snow every second week and with water once a year.",
            "The mirror must not be washed when it is colder than the dew point plus 4 degrees.",
        ]),
        ("Cell fans", [
            "Six fans draw 0.9 cubic meters of air a second through the cell; they are off while guiding is in closed loop on stars fainter than magnitude 15.",
        ]),
    ]),
    ("SP-1", "A", "Spectrograph Heron", "the fiber-fed echelle spectrograph Heron", "heron", [
        ("General", [
            "Heron covers 380 to 690 nm in 72 orders at a resolving power of 61,000.",
            "Its room is held at 18.00 ± 0.02 °C; nobody enters it during the night.",
        ]),
        ("Fiber link", [
            "The object fiber has a core of 67 µm, 1.4 arc seconds on the sky; the sky fiber is 9 arc seconds away.",
            "Fibers are not bent below a radius of 60 mm, not for a moment.",
        ]),
        ("Calibration", [
            "Wavelengths are calibrated with a thorium-argon lamp of 9 mA before and after the night.",
            "The etalon lamp is not a substitute for thorium-argon: its lines drift by 11 m/s a day.",
        ]),
        ("Detector", [
            "The detector of Heron is read in 38 s with 2.9 electrons of noise, or in 11 s with 5.6.",
            "Its gain is 1.12 electrons a count in the slow mode.",
        ]),
        ("Vacuum", [
            "The grating vessel is pumped below 0.02 mbar. Above 0.5 mbar exposures are not to be used for velocities.",
        ]),
    ]),
    ("CC-3", "E", "Wide-field camera Lark", "the prime-focus camera Lark", "lark", [
        ("General", [
            "Lark sees 0.9 square degrees with 0.31 arc seconds a pixel.",
            "Its filter wheel holds eight filters of 120 mm; a change takes 7.5 s.",
        ]),
        ("Shutter", [
            "The shortest exposure that is flat to 1 % is 0.4 s.",
            "The shutter blades are rated for 1.2 million cycles and are replaced at 1 million.",
        ]),
        ("Cooling", [
            "The detector works at -105 °C; the cooler needs 3 h 20 min from warm.",
            "The camera must not be opened above a detector temperature of -20 °C without dry nitrogen.",
        ]),
        ("Saturation", [
            "Pixels are linear to 0.3 % up to 52,000 counts and saturate at 63,400.",
        ]),
    ]),
    ("GS-2", "B", "Guider", "the off-axis guider", "guider", [
        ("General", [
            "The guider corrects ten times a second on stars down to magnitude 17.2.",
        ]),
        ("Camera", [
            "The guide camera is an uncooled sensor of 1.3 megapixels; hot pixels are masked by the dark of the evening.",
        ]),
        ("Faults", [
            "Guide error GS-31 means that the star was lost for 5 s; GS-32 that two stars stood in the window.",
            "After GS-31 the guider waits 12 s before it looks again. It does not move the telescope meanwhile.",
        ]),
    ]),
    ("WX-5", "A", "Weather station", "the mast with its sensors and the cloud camera", "weather", [
        ("General", [
            "The mast stands 30 m north of the dome and measures at 2 m and 10 m every five seconds.",
        ]),
        ("Limits", [
            "Observing ends at a relative humidity of 88 % or 2 degrees above the dew point, whichever comes first.",
            "Dust above 12 counts closes the mirror cover, not the dome.",
        ]),
        ("Rain sensor", [
            "Rain sensor RS-2 is heated with 6 W. It is not to be trusted during the first 90 s after power-up.",
            "A single wet sensor closes the dome; to open it again both must be dry for 30 minutes.",
        ]),
    ]),
    ("CR-6", "C", "Cryogenics", "the helium compressors and cold heads", "cryo", [
        ("General", [
            "Two helium compressors, HC-A and HC-B, feed the cold heads of Lark and Heron at 17.5 bar.",
        ]),
        ("Service", [
            "Adsorbers are exchanged after 18,000 hours; the seal of the old one is never used twice.",
            "A cold head knocks before it fails: at more than 0.9 g on the accelerometer it is exchanged within a week.",
        ]),
        ("Alarms", [
            "Alarm CR-12 is low helium pressure, below 15.2 bar; CR-14 is cooling water above 27 °C.",
            "CR-12 does not stop the compressor. CR-14 does, after 60 s.",
        ]),
    ]),
    ("PW-1", "B", "Power", "mains, battery and the diesel generator", "power", [
        ("General", [
            "The battery carries the dome, the mount and the network for 22 minutes.",
            "The generator takes over 14 s after the mains fail; the air conditioning is not on it.",
        ]),
        ("Test", [
            "The generator is run under load on the first Monday of a month, 40 minutes.",
            "The battery may not be tested within two hours of sunset.",
        ]),
        ("Fuses", [
            "F3 shutter motors, F4 and F5 rotation, F7 seal heater, F9 flat-field lamps, F11 guider, F12 cloud camera.",
        ]),
    ]),
    ("TS-1", "A", "Time and network", "clocks and the control network", "network", [
        ("General", [
            "Time comes from two satellite receivers; the rubidium clock holds 1 µs for 19 hours without them.",
        ]),
        ("Switches", [
            "The control network is VLAN 40 and has no route to the office. A laptop is never plugged into VLAN 40.",
        ]),
        ("Leap seconds", [
            "Leap seconds are taken from the receivers; the mount controller has to be told by hand with `leap set`.",
        ]),
    ]),
    ("CL-2", "B", "Calibration unit", "lamps and the flat-field screen", "calibration", [
        ("General", [
            "The flat-field screen hangs at azimuth 212 degrees; dome flats are taken at altitude 31 degrees.",
        ]),
        ("Lamps", [
            "The tungsten lamps need 12 minutes to settle to 0.2 %. They are fused by F9.",
            "A thorium-argon lamp is replaced after 600 mA·h, not after hours.",
        ]),
    ]),
    ("LS-9", "A", "Laser rangefinder", "the rangefinder for satellites", "laser", [
        ("General", [
            "The rangefinder fires 10 pulses a second of 38 mJ at 532 nm.",
        ]),
        ("Safety", [
            "Two people with the laser course are in the building whenever it fires. One of them does nothing else.",
            "The laser must not fire below an altitude of 20 degrees, and not within 6 degrees of an aircraft.",
        ]),
    ]),
]

# Older revisions: nearly the same words, some figures that no longer hold.
OLDER = {
    ("DM-7", "B"): [
        ("Torque 62 N·m dry. With anti-seize paste 48 N·m.", "Torque 70 N·m dry."),
        ("within 0.8 degrees", "within 1.2 degrees"),
        ("gusts of 18 m/s", "gusts of 20 m/s"),
    ],
    ("TM-2", "C"): [("1.9 arc seconds", "2.6 arc seconds"), ("model of 41 terms", "model of 23 terms")],
    ("CC-3", "D"): [("52,000 counts", "48,000 counts"), ("3 h 20 min", "4 h"), ("7.5 s", "9 s")],
    ("WX-5", "0"): [("88 %", "85 %"), ("30 minutes", "20 minutes")],
    ("CR-6", "B"): [("18,000 hours", "15,000 hours"), ("15.2 bar", "14.5 bar")],
}

public import Console

extension SettingDefinition {
    /// How fast a replay goes.
    static let pace = SettingDefinition(
        "pace", .choice(["real", "2x", "10x", "fixed"]), .text("fixed"), environment: [.value("ORRERY_PACE")],
        "Replay speed: as recorded, 2 or 10 times as fast, or one step per second.")
    /// What model calls are priced by.
    static let prices = SettingDefinition(
        "prices", .text, .text(""), environment: [.value("ORRERY_PRICES")],
        "Path of your own price table (TOML); empty uses the built-in table.")

    /// What devices of profiles can do.
    static let peaks = SettingDefinition(
        "peaks", .text, .text(""), environment: [.value("ORRERY_PEAKS")],
        "Path of a TOML file with peaks of your own devices, added to the built-in ones.")

    /// Everything that a person can set.
    public static let workbench = terminal + [pace, prices, peaks]
}

extension Settings {
    /// The settings in force, the workbench's own among them.
    public static func workbench(commandLine: [String: String] = [:]) -> Settings {
        checked(load(SettingDefinition.workbench, commandLine: commandLine))
    }

    /// The settings of a file, whatever the environment says.
    package static func workbench(path: String) -> Settings {
        checked(load(SettingDefinition.workbench, path: path, environment: { _ in nil }))
    }

    private static func checked(_ settings: Settings) -> Settings {
        var settings = settings
        settings.check(.theme) { Themes.problem(with: $0) }
        return settings
    }

    var pace: String { text(.pace) }

    /// The path of a price table; nil takes the one that comes with the program.
    public var prices: String? { text(.prices).isEmpty ? nil : text(.prices) }

    /// The path of a table of peaks; nil takes only those that come with the program.
    public var peaks: String? { text(.peaks).isEmpty ? nil : text(.peaks) }
}

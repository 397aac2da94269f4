internal import Configuration
public import Console

extension SettingDefinition {
    /// Speed of a replay.
    package static let pace = SettingDefinition(
        "pace", .choice(["real", "2x", "10x", "fixed"]), .text("fixed"), environment: [.value("ORRERY_PACE")],
        "Replay speed: as recorded, 2 or 10 times as fast, or one step per second.")
    /// Prices of model calls.
    package static let prices = SettingDefinition(
        "prices", .text, .text(""), environment: [.value("ORRERY_PRICES")],
        "Path of your own price table (TOML); empty uses the built-in table.")

    /// Peak performance of devices.
    package static let peaks = SettingDefinition(
        "peaks", .text, .text(""), environment: [.value("ORRERY_PEAKS")],
        "Path of a TOML file with peaks for your own devices, added to the built-in ones.")

    /// All settings.
    public static let workbench = terminal + [pace, prices, peaks]
}

extension Settings {
    /// Returns the settings in effect, including the workbench's.
    public static func workbench(commandLine: [String: String] = [:]) -> Settings {
        checked(load(SettingDefinition.workbench, commandLine: commandLine))
    }

    /// Returns the settings of a file, ignoring the environment.
    package static func workbench(path: String) -> Settings {
        checked(load(SettingDefinition.workbench, path: path, environment: { _ in nil }))
    }

    private static func checked(_ settings: Settings) -> Settings {
        var settings = settings
        settings.check(.theme) { Themes.problem(with: $0) }
        return settings
    }

    package var pace: String { text(.pace) }

    /// Path of a price table; `nil` uses the built-in table.
    public var prices: String? { text(.prices).isEmpty ? nil : text(.prices) }

    /// Path of a table of peaks; `nil` uses only the built-in peaks.
    public var peaks: String? { text(.peaks).isEmpty ? nil : text(.peaks) }
}

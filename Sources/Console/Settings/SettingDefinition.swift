public import Configuration

/// A setting: its name in `config.toml`, its allowed values, and the environment variables that set it.
public struct SettingDefinition: Hashable, Sendable {
    /// Name in `config.toml`.
    public let key: String
    /// Type and allowed values.
    public let kind: SettingKind
    /// Default value.
    public let defaultValue: SettingValue
    /// Environment variables that set the value; the first one with a valid value applies.
    public let environment: [Variable]
    /// Effect of the setting, in one sentence.
    public let summary: String

    /// An environment variable that sets a value.
    public struct Variable: Hashable, Sendable {
        /// Name of the variable.
        public let name: String
        /// Value that applies whenever the variable is set; `nil` if the variable's content is the value.
        public let meaning: SettingValue?
    }

    /// Creates a setting.
    public init(
        _ key: String, _ kind: SettingKind, _ defaultValue: SettingValue, environment: [Variable] = [],
        _ summary: String
    ) {
        self.key = key
        self.kind = kind
        self.defaultValue = defaultValue
        self.environment = environment
        self.summary = summary
    }

    /// Returns the value for text from the environment or the command line; `nil` if the text is invalid.
    package func value(from text: String) -> SettingValue? {
        switch (kind, text.lowercased()) {
        case (.flag, "1"), (.flag, "yes"), (.flag, "on"): .flag(true)
        case (.flag, "0"), (.flag, "no"), (.flag, "off"): .flag(false)
        case (.flag, let word): kind.accepted(written: word)
        case (.text, _): .text(text)
        default: kind.accepted(written: text)
        }
    }

    /// Allowed values, as part of a sentence: "true or false", "an integer from 0 to 1000".
    public var expectation: String { kind.expectation }
}

extension SettingDefinition {
    /// Color theme.
    public static let theme = SettingDefinition(
        "theme", .text, .text("auto"), environment: [.value("ORRERY_THEME")],
        "Color theme: dark, light, high-contrast, mono, the name of a theme file, or auto to match the terminal.")
    static let color = SettingDefinition(
        "color", .choice(ColorDepth.Choice.allCases.map(\.rawValue)), .text("auto"),
        environment: [.value("ORRERY_COLOR"), .any("NO_COLOR", means: .text("never"))],
        "Number of colors; attributes such as bold work even without colors.")
    static let ascii = SettingDefinition(
        "ascii", .flag, .flag(false), environment: [.value("ORRERY_ASCII")],
        "Draw with ASCII only, for fonts without box-drawing characters.")
    static let mouse = SettingDefinition(
        "mouse", .flag, .flag(true), environment: [.value("ORRERY_MOUSE")],
        "Use the mouse. In most terminals, hold Shift to select text.")
    static let paste = SettingDefinition(
        "paste", .flag, .flag(true), environment: [.value("ORRERY_PASTE")],
        "Treat pasted text as text, never as keys.")
    static let synchronizedOutput = SettingDefinition(
        "sync_output", .choice(Terminal.SynchronizedOutput.allCases.map(\.rawValue)), .text("auto"),
        environment: [.value("ORRERY_SYNC_OUTPUT")],
        "Show only complete frames; auto does so if the terminal supports it.")
    static let escapeDelay = SettingDefinition(
        "esc_delay_ms", .integer(0...1000), .integer(25), environment: [.value("ESCDELAY")],
        "Milliseconds to wait after Esc for the rest of a sequence; increase on slow connections.")
    /// Settings that every terminal program has, in display order.
    public static let terminal: [SettingDefinition] = [
        theme, color, ascii, mouse, paste, synchronizedOutput, escapeDelay,
    ]
}

extension SettingDefinition.Variable {
    /// Returns a variable whose content is the value.
    public static func value(_ name: String) -> Self { Self(name: name, meaning: nil) }
    /// Returns a variable that sets one value, regardless of its content.
    public static func any(_ name: String, means value: SettingValue) -> Self { Self(name: name, meaning: value) }
}

/// A setting: its name in `config.toml`, what it may be, and where else it can be said.
public struct SettingDefinition: Hashable, Sendable {
    public let key: String
    public let kind: Kind
    public let standard: SettingValue
    /// Variables of the environment that say it, the first that is set before the others.
    public let environment: [Variable]
    /// What it does, as one sentence.
    public let summary: String

    public enum Kind: Hashable, Sendable {
        case boolean
        case integer(ClosedRange<Int>)
        case text
        case choice([String])
    }

    public struct Variable: Hashable, Sendable {
        public let name: String
        /// What any content means; nil where the content is the value.
        public let meaning: SettingValue?
    }

    public init(
        _ key: String, _ kind: Kind, _ standard: SettingValue, environment: [Variable] = [], _ summary: String
    ) {
        self.key = key
        self.kind = kind
        self.standard = standard
        self.environment = environment
        self.summary = summary
    }

    /// A value for this setting from text, as the environment and the command line have it.
    package func value(from text: String) -> SettingValue? {
        switch kind {
        case .boolean:
            switch text.lowercased() {
            case "1", "true", "yes", "on": .boolean(true)
            case "0", "false", "no", "off": .boolean(false)
            default: nil
            }
        case .integer(let range): Int(text).flatMap { range.contains($0) ? .integer($0) : nil }
        case .text: .text(text)
        case .choice(let names): names.contains(text) ? .text(text) : nil
        }
    }

    /// Whether a value of the right type is one that this setting takes.
    func accepts(_ value: SettingValue) -> Bool {
        switch (kind, value) {
        case (.boolean, .boolean), (.text, .text): true
        case (.integer(let range), .integer(let number)): range.contains(number)
        case (.choice(let names), .text(let name)): names.contains(name)
        default: false
        }
    }

    /// What it may be, for a sentence: "true or false", "a number from 0 to 1000".
    public var wants: String {
        switch kind {
        case .boolean: "true or false"
        case .integer(let range): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .text: "a text in quotes"
        case .choice(let names):
            names.dropLast().map { "\"\($0)\"" }.joined(separator: ", ") + " or \"\(names.last ?? "")\""
        }
    }
}

/// What a setting says.
public enum SettingValue: Hashable, Sendable {
    case boolean(Bool)
    case integer(Int)
    case text(String)

    /// As `config.toml` has it.
    public var toml: String {
        switch self {
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .text(let value): Self.quoted(value)
        }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                let digits = String(scalar.value, radix: 16, uppercase: true)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}

extension SettingDefinition {
    public static let theme = SettingDefinition(
        "theme", .text, .text("auto"), environment: [.value("ORRERY_THEME")],
        "Colors: dark, light, high-contrast, mono, the name of a theme file of yours, or auto after the terminal.")
    static let color = SettingDefinition(
        "color", .choice(ColorDepth.Choice.allCases.map(\.rawValue)), .text("auto"),
        environment: [.value("ORRERY_COLOR"), .any("NO_COLOR", means: .text("never"))],
        "How many colors to use; attributes such as bold stay where there are none.")
    static let ascii = SettingDefinition(
        "ascii", .boolean, .boolean(false), environment: [.value("ORRERY_ASCII")],
        "Draws with plain ASCII only, for fonts without lines and blocks.")
    static let mouse = SettingDefinition(
        "mouse", .boolean, .boolean(true), environment: [.value("ORRERY_MOUSE")],
        "Reads the mouse; most terminals still select text with it while Shift is held.")
    static let paste = SettingDefinition(
        "paste", .boolean, .boolean(true), environment: [.value("ORRERY_PASTE")],
        "Takes pasted text as text, never as keys.")
    static let synchronizedOutput = SettingDefinition(
        "sync_output", .choice(Terminal.SynchronizedOutput.allCases.map(\.rawValue)), .text("auto"),
        environment: [.value("ORRERY_SYNC_OUTPUT")],
        "Has the terminal show each frame whole; auto asks it whether it can.")
    static let escapeDelay = SettingDefinition(
        "esc_delay_ms", .integer(0...1000), .integer(25), environment: [.value("ESCDELAY")],
        "How long Esc waits for the rest of a sequence; more is needed over slow lines only.")
    /// What every program on a terminal may be told, in the order in which it is shown.
    public static let terminal: [SettingDefinition] = [
        theme, color, ascii, mouse, paste, synchronizedOutput, escapeDelay,
    ]
}

extension SettingDefinition.Variable {
    public static func value(_ name: String) -> Self { Self(name: name, meaning: nil) }
    public static func any(_ name: String, means value: SettingValue) -> Self { Self(name: name, meaning: value) }
}

public import Configuration
internal import System

/// The user's settings from `config.toml`, the environment, and the command line.
///
/// ```swift
/// let settings = Settings.load(commandLine: ["theme": "light"])
/// settings.theme                            // "light"
/// settings[.theme].origin                   // .commandLine
/// for problem in settings.problems { report(problem.sentence) }
/// ```
///
/// The command line takes precedence over the environment, the environment over the file, and the file over the
/// defaults. Invalid settings are reported and ignored, and never prevent the program from starting.
public struct Settings: Sendable {
    /// Problems with the settings: first in the file, by line, then in the environment and on the command line.
    public internal(set) var problems: [SettingProblem] = []
    /// The user's key bindings.
    public internal(set) var keys = KeyRebindings()
    /// Path of the settings file, which may be missing.
    public let path: String
    private var resolved: [SettingDefinition: Resolved] = [:]

    /// A value with its origin.
    public struct Resolved: Hashable, Sendable {
        /// Value in effect.
        public let value: SettingValue
        /// Origin of the value.
        public let origin: Origin
    }

    /// Origins of a value.
    public enum Origin: Hashable, Sendable {
        /// The default of the definition.
        case standard
        /// A line of the settings file.
        case file(path: String, line: Int?)
        /// An environment variable.
        case environment(String)
        /// The command line.
        case commandLine

        /// Origin as displayed by `config show`: "default", "config.toml:3", "ORRERY_THEME", "command line".
        public var text: String {
            switch self {
            case .standard: "default"
            case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
            case .environment(let name): name
            case .commandLine: "command line"
            }
        }
    }

    /// All settings of the program.
    public let definitions: [SettingDefinition]

    init(path: String, definitions: [SettingDefinition]) {
        self.path = path
        self.definitions = definitions
    }

    /// Loads the settings; a missing file is not an error.
    ///
    /// - Parameters:
    ///   - definitions: Settings of the terminal and of the program.
    ///   - commandLine: Values from the command line, by setting name.
    public static func load(
        _ definitions: [SettingDefinition] = SettingDefinition.terminal, commandLine: [String: String] = [:]
    ) -> Settings {
        load(
            definitions, path: XDG.current.config + "/config.toml", environment: { Environment[$0] },
            commandLine: commandLine)
    }

    package static func load(
        _ definitions: [SettingDefinition] = SettingDefinition.terminal, path: String, environment: (String) -> String?,
        commandLine: [String: String] = [:]
    ) -> Settings {
        var settings = Settings(path: path, definitions: definitions)
        do {
            let content = try SmallFile.read(path, limit: 1 << 20)
            ConfigurationFile(path: path, text: String(decoding: content, as: UTF8.self)).apply(to: &settings)
        } catch {
            switch error {
            case .missing: break
            case .tooLong:
                settings.problems.append(
                    SettingProblem(place: path, "file exceeds 1 MiB, so the defaults apply. Shorten it."))
            case .system(let code):
                settings.problems.append(
                    SettingProblem(
                        place: path,
                        "file is unreadable (error \(code)), so the defaults apply. Check its permissions."))
            }
        }
        settings.apply(environment)
        settings.apply(commandLine)
        return settings
    }

    /// Returns the value of a setting with its origin.
    public subscript(definition: SettingDefinition) -> Resolved {
        resolved[definition] ?? Resolved(value: definition.defaultValue, origin: .standard)
    }

    mutating func set(_ definition: SettingDefinition, to value: SettingValue, origin: Origin) {
        resolved[definition] = Resolved(value: value, origin: origin)
    }

    private mutating func apply(_ environment: (String) -> String?) {
        for definition in definitions {
            for variable in definition.environment {
                guard let text = environment(variable.name), !text.isEmpty else { continue }
                if let value = variable.meaning ?? definition.value(from: text) {
                    set(definition, to: value, origin: .environment(variable.name))
                    break
                }
                problems.append(
                    SettingProblem(
                        place: variable.name,
                        "invalid value \"\(Quotation.of(text))\" is ignored. Use \(definition.expectation)."))
            }
        }
    }

    private mutating func apply(_ commandLine: [String: String]) {
        for (key, text) in commandLine.sorted(by: { $0.key < $1.key }) {
            guard let definition = definitions.first(where: { $0.key == key }) else {
                problems.append(SettingProblem(place: "command line", unknown(key)))
                continue
            }
            guard let value = definition.value(from: text) else {
                problems.append(
                    SettingProblem(
                        place: "command line",
                        "\(key) must be \(definition.expectation), not \"\(Quotation.of(text))\". The value is ignored."
                    ))
                continue
            }
            set(definition, to: value, origin: .commandLine)
        }
    }

    /// Checks a text setting against a rule that its definition cannot express. If the text is invalid, the problem is
    /// reported with its line, and the default applies.
    ///
    /// - Parameter problem: Returns an error message for an invalid text, or `nil`.
    public mutating func check(_ definition: SettingDefinition, _ problem: (String) -> String?) {
        guard case .text(let text) = self[definition].value, let sentence = problem(text) else { return }
        switch self[definition].origin {
        case .standard: return
        case .file(let path, let line): problems.append(SettingProblem(place: path, line: line, sentence))
        case .environment(let name): problems.append(SettingProblem(place: name, sentence))
        case .commandLine: problems.append(SettingProblem(place: "--\(definition.key)", sentence))
        }
        resolved[definition] = nil
    }

    func unknown(_ key: String) -> String {
        let names = definitions.map(\.key) + ["keys"]
        let hint = NearestName.question(about: key, among: names)
        return "unknown setting \"\(Quotation.of(key))\"." + (hint.isEmpty ? " See \"orrery config show\"." : hint)
    }
}

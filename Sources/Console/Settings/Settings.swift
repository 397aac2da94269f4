internal import Configuration

/// What a person has chosen: in `config.toml`, in the environment, on the command line.
///
/// ```swift
/// let settings = Settings.load(commandLine: ["theme": "light"])
/// settings.theme                            // "light"
/// settings[.theme].origin                   // .commandLine
/// for problem in settings.problems { report(problem.sentence) }
/// ```
///
/// The command line wins over the environment, that over the file, that over what is built in. Whatever is wrong is
/// reported and passed over; a start never fails for it.
public struct Settings: Sendable {
    /// What is wrong in them, in the order of the file.
    public internal(set) var problems: [SettingProblem] = []
    /// The keys that were bound anew.
    public internal(set) var keys = KeyRebindings()
    /// The file that was read, or would be.
    public let path: String
    private var resolved: [SettingDefinition: Resolved] = [:]

    /// A value and where it comes from.
    public struct Resolved: Hashable, Sendable {
        public let value: SettingValue
        public let origin: Origin
    }

    public enum Origin: Hashable, Sendable {
        case standard
        case file(path: String, line: Int?)
        case environment(String)
        case commandLine

        /// For `config show`: "default", "config.toml:3", "ORRERY_THEME", "command line".
        public var text: String {
            switch self {
            case .standard: "default"
            case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
            case .environment(let name): name
            case .commandLine: "command line"
            }
        }
    }

    /// What there is to be set.
    public let definitions: [SettingDefinition]

    init(path: String, definitions: [SettingDefinition]) {
        self.path = path
        self.definitions = definitions
    }

    /// Reads the settings. Where there is no file, none is parsed.
    ///
    /// - Parameters:
    ///   - definitions: what there is to be set: the terminal's, and what the program adds.
    ///   - commandLine: values by the keys of the definitions, as they were typed.
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
                settings.problems.append(SettingProblem(place: path, "the file is longer than 1 MiB and was not read."))
            case .system(let code):
                settings.problems.append(
                    SettingProblem(place: path, "the file cannot be read (error \(code)); the defaults are used."))
            }
        }
        settings.apply(environment)
        settings.apply(commandLine)
        return settings
    }

    /// What a setting says and who said so.
    public subscript(definition: SettingDefinition) -> Resolved {
        resolved[definition] ?? Resolved(value: definition.standard, origin: .standard)
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
                        "\"\(Quotation.of(text))\" is not \(definition.wants); it was passed over."))
            }
        }
    }

    private mutating func apply(_ commandLine: [String: String]) {
        for (key, text) in commandLine.sorted(by: { $0.key < $1.key }) {
            guard let definition = definitions.first(where: { $0.key == key }) else {
                problems.append(SettingProblem(place: "the command line", unknown(key)))
                continue
            }
            guard let value = definition.value(from: text) else {
                problems.append(
                    SettingProblem(
                        place: "the command line",
                        "\(key) is \"\(Quotation.of(text))\" and not \(definition.wants); it was passed over."))
                continue
            }
            set(definition, to: value, origin: .commandLine)
        }
    }

    /// Checks the text of a setting by a rule that its definition lacks. Problems are reported with their line, and the
    /// default applies.
    ///
    /// - Parameter problem: returns what is wrong with a text as a sentence, or nil.
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

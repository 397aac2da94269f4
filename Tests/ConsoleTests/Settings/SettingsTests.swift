import Configuration
import Console
import Glibc
import Testing

/// A setting of a program, in addition to those of the terminal.
private let speed = SettingDefinition(
    "speed", .choice(["real", "2x", "10x"]), .text("2x"), environment: [.value("ORRERY_SPEED")], "Speed of the replay.")

@Suite("Settings")
struct SettingsTests {
    private func load(
        _ file: String?, environment: [String: String] = [:], commandLine: [String: String] = [:]
    ) throws -> (settings: Settings, path: String) {
        let folder = try TemporaryFolder()
        let path = file.map { folder.write($0, to: "config.toml") } ?? folder.path + "/config.toml"
        let definitions = SettingDefinition.terminal + [speed]
        return (
            Settings.load(definitions, path: path, environment: { environment[$0] }, commandLine: commandLine), path
        )
    }

    @Test("without a file, the defaults apply") func defaults() throws {
        let (settings, _) = try load(nil)
        #expect(settings.theme == "auto")
        #expect(settings.color == .automatic)
        #expect(!settings.isASCII && settings.readsMouse && settings.bracketsPaste)
        #expect(settings.synchronizedOutput == .automatic)
        #expect(settings.escapeDelay == 25)
        #expect(settings.problems.isEmpty)
        #expect(SettingDefinition.terminal.allSatisfy { settings[$0].origin == .standard })
    }

    @Test("the command line takes precedence over the environment, and the environment over the file")
    func precedence() throws {
        let file = "theme = \"mono\"\n\nmouse = false\nspeed = \"2x\"\n"
        let (settings, path) = try load(
            file, environment: ["ORRERY_THEME": "light", "ORRERY_SPEED": "10x"], commandLine: ["speed": "real"])
        #expect(settings.theme == "light")
        #expect(settings[speed].value == .text("real"))
        #expect(!settings.readsMouse)
        let origins = ["theme", "mouse", "speed", "ascii"].map { key in
            settings.definitions.first { $0.key == key }.map { settings[$0].origin.text }
        }
        #expect(origins == ["ORRERY_THEME", "\(path):3", "command line", "default"])
    }

    @Test(
        "environment variables set the number of colors",
        arguments: [
            (["NO_COLOR": "1"], ColorDepth.Choice.never, "NO_COLOR"),
            (["NO_COLOR": ""], .automatic, "default"),
            (["NO_COLOR": "1", "ORRERY_COLOR": "16"], .sixteen, "ORRERY_COLOR"),
            (["ORRERY_COLOR": "256"], .palette, "ORRERY_COLOR"),
        ])
    func color(environment: [String: String], choice: ColorDepth.Choice, origin: String) throws {
        let (settings, _) = try load(nil, environment: environment)
        #expect(settings.color == choice)
        let definition = try #require(SettingDefinition.terminal.first { $0.key == "color" })
        #expect(settings[definition].origin.text == origin)
    }

    @Test(
        "a Boolean variable accepts several words",
        arguments: [
            ("1", true), ("true", true), ("YES", true), ("on", true), ("0", false), ("false", false), ("off", false),
        ])
    func boolean(text: String, value: Bool) throws {
        #expect(try load("ascii = \(!value)", environment: ["ORRERY_ASCII": text]).settings.isASCII == value)
    }

    @Test(
        "problems in the file are reported with their line",
        arguments: [
            ("them = \"dark\"", 1, "unknown setting \"them\". Did you mean \"theme\"?"),
            ("\n\nblargh = 1", 3, "unknown setting \"blargh\". See \"orrery config show\"."),
            ("# x\nmouse = 3", 2, "mouse must be true or false. The value is ignored."),
            ("speed = \"slow\"", 1, "speed must be \"real\", \"2x\", or \"10x\". The value is ignored."),
            ("esc_delay_ms = 5000", 1, "esc_delay_ms must be an integer from 0 to 1000. The value is ignored."),
            ("theme = [\"dark\"]", 1, "theme must be a string in quotes. The value is ignored."),
            ("keys = 3", 1, "keys must be a table, such as [keys.traces]."),
            (
                "[keys.traces]\ntoggle-play = 7", 2,
                "toggle-play must be a key such as \"space\", or a list such as [\"space\", \"p\"]."
            ),
            (
                "[keys]\n[keys.traces]\n\"play\" = \"hyper-x\"", 3,
                "play: \"hyper-x\", character 1: unknown key \"hyper-x\""
            ),
        ])
    func problems(file: String, line: Int, text: String) throws {
        let (settings, path) = try load(file)
        #expect(settings.problems.count == 1)
        let problem = try #require(settings.problems.first)
        #expect(problem.line == line)
        #expect(problem.sentence.hasPrefix("\(path):\(line): \(text)"), "\(problem.sentence)")
    }

    @Test("a file with invalid TOML is ignored") func invalidTOML() throws {
        let (settings, _) = try load("mouse = false\ntheme = = 3\n")
        #expect(settings.readsMouse)
        #expect(settings.problems.map(\.line) == [2])
        #expect(settings.problems[0].text.hasPrefix("invalid TOML, so the whole file is ignored: "))
    }

    @Test("an invalid setting does not affect the others") func independence() throws {
        let (settings, _) = try load("esc_delay_ms = \"x\"\nascii = true\n")
        #expect(settings.isASCII)
        #expect(settings.escapeDelay == 25)
        #expect(settings.problems.count == 1)
    }

    @Test("an invalid environment variable is reported by name") func invalidVariable() throws {
        let (settings, _) = try load(nil, environment: ["ORRERY_COLOR": "many\u{1B}[31m"])
        #expect(settings.color == .automatic)
        #expect(
            settings.problems.map(\.sentence) == [
                "ORRERY_COLOR: invalid value \"many␛[31m\" is ignored. Use \"auto\", \"never\", \"256\", \"16\", or \"8\"."
            ])
    }

    @Test("invalid command-line settings are reported") func invalidCommandLine() throws {
        let (settings, _) = try load(nil, commandLine: ["colour": "8", "mouse": "maybe"])
        #expect(
            settings.problems.map(\.sentence) == [
                "command line: unknown setting \"colour\". Did you mean \"color\"?",
                "command line: mouse must be true or false, not \"maybe\". The value is ignored.",
            ])
    }

    @Test("the template is valid and contains the defaults") func template() throws {
        let lines = Settings.template().split(separator: "\n", omittingEmptySubsequences: false)
        #expect(SettingDefinition.terminal.allSatisfy { Settings.template().contains("\n# \($0.summary)\n") })
        // With all comment marks removed from its settings, the template has no problems.
        let active = lines.map { line in
            line.hasPrefix("# ") && (line.contains(" = ") || line.hasPrefix("# [keys")) ? String(line.dropFirst(2)) : ""
        }
        let (settings, _) = try load(active.joined(separator: "\n"))
        #expect(settings.problems.isEmpty, "\(settings.problems)")
        #expect(SettingDefinition.terminal.allSatisfy { settings[$0].value == $0.defaultValue })
        #expect(settings.keys.entries.count == 2)
    }
}

@Suite("Key rebindings")
struct KeyRebindingsTests {
    private func load(_ file: String) throws -> Settings {
        let folder = try TemporaryFolder()
        return Settings.load(path: folder.write(file, to: "config.toml"), environment: { _ in nil })
    }

    private let actions: [(action: String, standard: [[Key]])] = [
        ("toggle-play", [[.character(" ")]]),
        ("next-error", [[.character("]"), .character("e")]]),
        ("open", [[Key(.enter)], [.character("l")]]),
    ]

    @Test("an entry replaces the built-in keys") func replacement() throws {
        let settings = try load(
            """
            [keys]
            help = "f1"
            [keys.traces]
            "toggle-play" = ["p", "ctrl-space"]
            open = "none"
            """)
        #expect(settings.problems.isEmpty)
        let keys = settings.keys
        #expect(keys.keys(for: "help", panel: nil, standard: [[.character("?")]]) == [[Key(.function(1))]])
        #expect(keys.keys(for: "toggle-play", panel: "traces", standard: []) == [[.character("p")], [.control(" ")]])
        #expect(keys.keys(for: "open", panel: "traces", standard: [[Key(.enter)]]) == [])
        #expect(keys.keys(for: "toggle-play", panel: "evals", standard: [[.character("x")]]) == [[.character("x")]])
        #expect(keys.problems(panel: "traces", actions: actions).isEmpty)
    }

    @Test(
        "conflicts are reported with their line",
        arguments: [
            (
                "next-error = \"space\"",
                "the key space is bound to both toggle-play and next-error; it runs toggle-play. Change one of them."
            ),
            ("open = \"]\"", "the key ] for open hides the sequence ]e for next-error. Change one of them."),
            (
                "toggle-play = \"]\"",
                "the key ] for toggle-play hides the sequence ]e for next-error. Change one of them."
            ),
            ("toggel-play = \"p\"", "unknown action \"toggel-play\" in [keys.traces]. Did you mean \"toggle-play\"?"),
            ("fly = \"p\"", "unknown action \"fly\" in [keys.traces]. Type :keys to list the actions of a panel."),
        ])
    func conflicts(line: String, text: String) throws {
        let settings = try load("[keys.traces]\n\(line)\n")
        let problems = settings.keys.problems(panel: "traces", actions: actions)
        #expect(problems.map(\.text) == [text])
        #expect(problems.map(\.line) == [2])
    }

    @Test("an unknown panel is reported once") func unknownPanel() throws {
        let settings = try load("[keys.trace]\na = \"x\"\nb = \"y\"\n")
        #expect(
            settings.keys.problems(panels: ["traces", "evals"]).map(\.text) == [
                "unknown panel \"trace\" in [keys]. Did you mean \"traces\"?"
            ])
    }
}

@Suite("XDG folders")
struct XDGTests {
    @Test("the environment determines the folders") func environment() {
        let environment = [
            "HOME": "/home/ada", "XDG_CONFIG_HOME": "/etc/ada/", "XDG_DATA_HOME": "relative",
            "XDG_CACHE_HOME": "/tmp/c",
        ]
        let folders = XDG(environment: { environment[$0] }, home: nil)
        #expect(folders.config == "/etc/ada/orrery")
        #expect(folders.data == "/home/ada/.local/share/orrery")
        #expect(folders.state == "/home/ada/.local/state/orrery")
        #expect(folders.cache == "/tmp/c/orrery")
    }

    @Test("without HOME, the account's home folder is used") func accountHome() {
        #expect(XDG(environment: { _ in nil }, home: "/home/acc").config == "/home/acc/.config/orrery")
    }
}

@Suite("Log file")
struct LogFileTests {
    @Test("a log that reached its size limit is renamed") func rotation() throws {
        let folder = try TemporaryFolder()
        let path = folder.write(String(repeating: "x", count: LogFile.limit), to: "orrery.log")
        let descriptor = try #require(LogFile.open(path))
        close(descriptor)
        #expect(folder.read("orrery.log").isEmpty)
        #expect(folder.read("orrery.log.1").utf8.count == LogFile.limit)
    }

    @Test("opening an existing log appends to it") func appending() throws {
        let folder = try TemporaryFolder()
        let path = folder.write("before\n", to: "orrery.log")
        let descriptor = try #require(LogFile.open(path))
        defer { close(descriptor) }
        #expect(write(descriptor, "after\n", 6) == 6)
        #expect(folder.read("orrery.log") == "before\nafter\n")
    }
}

@Suite struct `Saved keys` {
    private func saved(_ text: String, _ action: String, panel: String?, to notation: String) -> String {
        KeyRebindings.text(text, settingKeysOf: action, panel: panel, to: notation)
    }

    @Test func `saving keys in an empty file adds a table`() {
        #expect(saved("", "next-error", panel: "traces", to: "ctrl-g") == "[keys.traces]\nnext-error = \"ctrl-g\"\n")
    }

    @Test func `saving keys replaces the line of the action and nothing else`() {
        let old = "theme = \"dark\"  # mine\n\n[keys.traces]\nplay = \"p\"\nnext-error = \"]x\"\n"
        let new = "theme = \"dark\"  # mine\n\n[keys.traces]\nplay = \"p\"\nnext-error = \"ctrl-g\"\n"
        #expect(saved(old, "next-error", panel: "traces", to: "ctrl-g") == new)
    }

    @Test func `saving keys replaces a multiline value but keeps its comment`() {
        let old = "[keys.traces]\nnext-error = [\n  \"]e\",\n  \"f8\",\n]  # two\nplay = \"p\"\n"
        let new = "[keys.traces]\nnext-error = \"ctrl-g\"  # two\nplay = \"p\"\n"
        #expect(saved(old, "next-error", panel: "traces", to: "ctrl-g") == new)
    }

    @Test func `saving keys preserves dotted names and carriage returns`() {
        let old = "[keys]\r\ntraces.play = \"p\"\r\nhelp = \"f1\"\r\n"
        #expect(
            saved(old, "play", panel: "traces", to: ".")
                == "[keys]\r\ntraces.play = \".\"\r\nhelp = \"f1\"\r\n")
    }

    @Test func `saved keys are added to the table of their panel`() {
        let old = "[keys.traces]  # replay\nplay = \"p\"\n\n[keys]\nhelp = \"f1\"\n"
        #expect(
            saved(old, "step", panel: "traces", to: ".")
                == "[keys.traces]  # replay\nstep = \".\"\nplay = \"p\"\n\n[keys]\nhelp = \"f1\"\n")
        #expect(
            saved(old, "quit", panel: nil, to: "ctrl-q")
                == "[keys.traces]  # replay\nplay = \"p\"\n\n[keys]\nquit = \"ctrl-q\"\nhelp = \"f1\"\n")
    }
}

@Suite struct `Keys without a panel` {
    private let entries = """
        [keys]
        next-error = "ctrl-g"
        nexterror = "ctrl-h"
        """

    @Test func `an entry without a panel applies to all panels, and an unknown action is reported`() throws {
        let folder = try TemporaryFolder()
        let path = folder.write(entries, to: "config.toml")
        let settings = Settings.load(path: path, environment: { _ in nil })
        let keymap = Keymap(
            [Binding("]e", 1, name: "next-error", description: "to the next failed step", group: "Replay")],
            rebindings: settings.keys, panel: "traces")
        #expect(keymap.bindings[0].keys == ["ctrl-g"])
        let problems = settings.keys.problems(panel: nil, actions: [], others: ["next-error"])
        #expect(
            problems.map(\.sentence) == [
                "\(path):3: unknown action \"nexterror\" in [keys]. Did you mean \"next-error\"?"
            ])
    }
}

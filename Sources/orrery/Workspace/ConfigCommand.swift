import ArgumentParser
import CommandSupport
import Console
import JSON
import Workbench

/// The `orrery config` command: settings and their origins.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show settings and their origins.", subcommands: [Show.self],
        defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List every setting with value, origin, and description.")

        @OptionGroup var appearance: AppearanceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let settings = appearance.settings()
                let problems = Workbench.problems(with: settings).map(\.sentence)
                guard output.json else { return print(settings, problems) }
                var json = JSONWriter(style: .pretty)
                json.object {
                    $0.member("file", settings.path)
                    $0.member("settings") { $0.object { write(settings, to: &$0) } }
                    $0.member("problems", problems)
                }
                Output.result(json.text)
            }
        }

        private func write(_ settings: Settings, to json: inout JSONWriter) {
            for definition in settings.definitions {
                json.member(definition.key) {
                    $0.object {
                        $0.member("value", settings[definition].value.toml)
                        $0.member("origin", settings[definition].origin.text)
                    }
                }
            }
        }

        private func print(_ settings: Settings, _ problems: [String]) {
            var table = TextTable(["setting", "value", "from", "description"])
            for definition in settings.definitions {
                let resolved = settings[definition]
                table.add([definition.key, resolved.value.toml, resolved.origin.text, definition.summary])
            }
            Output.result(table.text)
            Output.result("\nsettings file: \(settings.path)")
            for problem in problems { Output.note(problem) }
        }
    }
}

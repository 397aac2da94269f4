import ArgumentParser
import CommandSupport
import Commands
import Configuration
import Console
import JSON
import Tables
import Workbench

/// The `orrery config` command: settings and their origins.
struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Show settings and their origins.", subcommands: [Show.self],
        defaultSubcommand: Show.self)

    struct Show: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "List every setting with value, origin, and description.")

        @OptionGroup var appearance: AppearanceOptions
        @OptionGroup var reading: JSONOption

        func result(in options: JSONOption) throws -> Report<JSONObject> {
            let settings = appearance.settings()
            let problems = Workbench.problems(with: settings).map(\.sentence)
            return Report(
                object: { json in
                    json.member("file", settings.path)
                    json.member("settings") { json in
                        json.object { json in
                            for definition in settings.definitions {
                                json.member(definition.key, Self.table(settings).records([definition])[0])
                            }
                        }
                    }
                    json.member("problems", problems)
                }, notes: problems
            ) { Self.table(settings).text(settings.definitions) + "\n\nsettings file: \(settings.path)" }
        }

        private static func table(_ settings: Settings) -> Columns<SettingDefinition> {
            Columns { table in
                table.text("setting", \.key)
                table.text("value", json: "value") { settings[$0].value.toml }
                table.text("from", json: "origin") { settings[$0].origin.text }
                table.text("description", \.summary)
            }
        }
    }
}

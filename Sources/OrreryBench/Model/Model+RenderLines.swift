import ArgumentParser
import CommandSupport
import JSON
import System
import Tokenizers

extension Bench.Model {
    /// Renders conversations, one JSON object of template variables per line, to compare templates with Jinja.
    struct RenderLines: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "render-lines")

        @Argument(help: "Jinja template.") var template: String
        @Option(help: "Time in templates: year, month, day, hour, minute, second.")
        var now: String = "2024 7 6 9 5 3"

        func run() throws {
            try answering {
                let template = try ChatTemplate(source: try SmallFile.text(template))
                let fields = now.split(separator: " ").compactMap { Int($0) }
                guard fields.count == 6 else {
                    throw Failure("--now must be six numbers: year, month, day, hour, minute, second.")
                }
                let now = LocalTime(
                    year: fields[0], month: fields[1], day: fields[2], hour: fields[3], minute: fields[4],
                    second: fields[5])
                while let line = readLine() {
                    var answer = JSONWriter()
                    answer.object { answer in
                        do throws(ChatTemplateError) {
                            answer.member("text", try template.render(json: line, now: now).text)
                        } catch {
                            answer.member(error.kind == .refused ? "refused" : "error", error.explanation)
                        }
                    }
                    Output.result(answer.text)
                }
            }
        }
    }
}

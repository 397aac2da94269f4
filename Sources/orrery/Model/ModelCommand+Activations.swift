import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import Models

extension ModelCommand {
    struct Activations: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "activations",
            abstract: "List the hooks in a file of captured activations (TransformerLens names).")

        @Argument(help: "Safetensors file with activations.", completion: .file(extensions: ["safetensors"]))
        var path: String

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let rows = try ActivationFile.read(path).activations.map { Row(hook: $0.key, activation: $0.value) }
                    .sorted { ($0.hook.layer ?? .max, $0.hook.name) < ($1.hook.layer ?? .max, $1.hook.name) }
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("hooks", rows) }
                    return Output.result(json.text)
                }
                var table = TextTable(["hook", "shape", "mean", "norm"], rightAligned: [2, 3])
                for row in rows {
                    table.add([
                        row.hook.name, row.activation.shape.map { String($0) }.joined(separator: " × "),
                        Format.fixed(row.mean, digits: 4), Format.fixed(row.norm, digits: 3),
                    ])
                }
                Output.result(table.text)
            }
        }

        private struct Row: JSONRepresentable {
            let hook: Hook
            let activation: HookActivation

            var mean: Double {
                activation.values.isEmpty
                    ? 0 : activation.values.reduce(0) { $0 + Double($1) } / Double(activation.values.count)
            }
            /// Mean norm of a row.
            var norm: Double {
                let rows = max(1, activation.shape.first ?? 1)
                return (activation.values.reduce(0) { $0 + Double($1) * Double($1) } / Double(rows)).squareRoot()
            }

            func write(to json: inout JSONWriter) {
                json.object {
                    $0.member("name", hook.name)
                    $0.member("shape", activation.shape)
                    $0.member("mean", mean)
                    $0.member("norm", norm)
                }
            }
        }
    }
}

import ArgumentParser
import CommandSupport
import Console
import Formatting
import Models
import Tables

extension ModelCommand {
    struct Activations: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "activations",
            abstract: "List the hooks in a file of captured activations (TransformerLens names).")

        @Argument(help: "Safetensors file with activations.", completion: .file(extensions: ["safetensors"]))
        var path: String

        @OptionGroup var reading: TableOptions

        func result(in options: TableOptions) throws -> Listing<Row> {
            let rows = try ActivationFile.read(path).activations.map { Row(hook: $0.key, activation: $0.value) }
            return Listing(
                rows.sorted { ($0.hook.layer ?? .max, $0.hook.name) < ($1.hook.layer ?? .max, $1.hook.name) }, "hooks")
        }

        struct Row: Tabular {
            let hook: Hook
            let activation: HookActivation

            private var mean: Double {
                activation.values.isEmpty
                    ? 0 : activation.values.reduce(0) { $0 + Double($1) } / Double(activation.values.count)
            }
            /// Mean norm of a row.
            private var norm: Double {
                let rows = max(1, activation.shape.first ?? 1)
                return (activation.values.reduce(0) { $0 + Double($1) * Double($1) } / Double(rows)).squareRoot()
            }

            static func columns(_ table: inout Columns<Row>) {
                table.text("hook", json: "name", \.hook.name)
                table.text("shape", json: "shape", \.activation.shape) {
                    $0.map { String($0) }.joined(separator: " × ")
                }
                table.text("mean", json: "mean", align: .right, \.mean) { Format.fixed($0, digits: 4) }
                table.text("norm", json: "norm", align: .right, \.norm) { Format.fixed($0, digits: 3) }
            }
        }
    }
}

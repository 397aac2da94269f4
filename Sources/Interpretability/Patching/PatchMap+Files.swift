internal import JSON
public import System
internal import Tensors

extension PatchMap {
    /// One line a cell: row, column, value, score. Cells that were not run are left out.
    public func csv() -> String {
        var text = "\(Self.quoted(rows.name)),\(Self.quoted(columns.name)),value,score\n"
        for (row, rowLabel) in rows.labels.enumerated() {
            for (column, label) in columns.labels.enumerated() {
                let place = row * columns.labels.count + column
                guard !scores[place].isNaN else { continue }
                text += "\(Self.quoted(rowLabel)),\(Self.quoted(label)),\(values[place]),\(scores[place])\n"
            }
        }
        return text
    }

    /// Writes `values` and `scores` (`[rows, columns]`, float64) as safetensors; everything else is metadata.
    ///
    /// - Parameter path: Path that ends in .safetensors.
    public func write(to path: String) throws(Problem) {
        guard path.hasSuffix(".safetensors") else {
            throw Problem(
                .invalid, path, "a map can only be saved as safetensors",
                remedy: "Use a name that ends in .safetensors.")
        }
        let shape = [rows.labels.count, columns.labels.count]
        var metadata = [
            "title": title, "metric": metric, "formula": formula, "clean": "\(clean)", "rows": rows.name,
            "columns": columns.name, "row_labels": Self.list(rows.labels), "column_labels": Self.list(columns.labels),
            "complete": isComplete ? "true" : "false",
        ]
        if let corrupt { metadata["corrupt"] = "\(corrupt)" }
        let tensors: [(name: String, tensor: AnyTensor)] = try telling {
            [
                ("scores", AnyTensor(try Tensor<Double>(scores, shape: shape))),
                ("values", AnyTensor(try Tensor<Double>(values, shape: shape))),
            ]
        }
        do { try TensorFile.write(tensors, metadata: metadata, to: path) } catch {
            throw Problem(.failed, path, error.sentence)
        }
    }

    private static func list(_ labels: [String]) -> String {
        var json = JSONWriter()
        json.array { array in
            for label in labels { array.string(label) }
        }
        return json.text
    }

    private static func quoted(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}

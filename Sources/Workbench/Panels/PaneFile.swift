internal import Glibc
internal import System
internal import Traces

/// A file for a pane, in the format of its ending. An existing file is never overwritten.
struct PaneFile: Sendable {
    var path: String
    /// SVG of the pane.
    var picture: String

    func write(
        csv: () throws -> String, json: (() throws -> String)? = nil, tensors: ((String) throws -> Void)? = nil
    ) throws {
        if path.hasSuffix(".svg") {
            try write(picture)
        } else if path.hasSuffix(".csv") {
            try write(csv())
        } else if path.hasSuffix(".json"), let json {
            try write(json())
        } else if path.hasSuffix(".safetensors"), let tensors {
            guard access(path, F_OK) != 0 else { throw Problem.exists(path) }
            try tensors(path)
        } else {
            let endings = [".csv", json == nil ? "" : ".json", tensors == nil ? "" : ".safetensors"]
            let known = endings.filter { !$0.isEmpty }.joined(separator: ", ")
            throw Problem(.unknown, path, "unknown file type", remedy: "End the name in \(known), or .svg.")
        }
    }

    private func write(_ text: String) throws {
        try ExportFile.write(path, replacing: false) { try $0(text) }
    }
}

import CommandSupport
import Console
import Formatting
import Models

/// A model file summary as text.
struct ModelSummaryText {
    let summary: ModelSummary
    let showsTensors: Bool
    let showsMetadata: Bool

    var text: String {
        var lines = [
            "\(summary.path)  \(summary.kind), \(summary.files.count == 1 ? "1 file" : "\(summary.files.count) files")",
            "\(Format.count(summary.parameters)) parameters, \(Format.bytes(summary.weightBytes)), "
                + "\(Format.fixed(summary.bitsPerWeight, digits: 2)) bits per weight",
        ]
        if let problem = summary.problem { lines.append("cannot run: \(problem)") }
        if let configuration = summary.configuration { lines += ["", sizes(configuration)] }
        var formats = TextTable(["format", "tensors", "parameters", "size"], rightAligned: [1, 2, 3])
        for format in summary.formats {
            formats.add([
                format.name, Format.count(format.tensors), Format.count(format.parameters), Format.bytes(format.bytes),
            ])
        }
        lines += ["", formats.text]
        if showsMetadata {
            var table = TextTable(["metadata", "type", "value"])
            for entry in summary.metadata { table.add([entry.key, entry.type, entry.value]) }
            lines += ["", table.text]
        }
        if showsTensors {
            var table = TextTable(["tensor", "format", "shape", "size", "standard name"], rightAligned: [3])
            for tensor in summary.tensors {
                table.add([
                    tensor.name, tensor.format, tensor.shape.map { String($0) }.joined(separator: " × "),
                    Format.bytes(tensor.bytes), tensor.knownAs ?? "",
                ])
            }
            lines += ["", table.text]
        }
        return lines.joined(separator: "\n")
    }

    private func sizes(_ model: ModelConfiguration) -> String {
        var entries: [(String, String)] = [
            ("family", model.family.name), ("layers", Format.count(model.layerCount)),
            ("width", Format.count(model.width)),
            ("heads", "\(model.headCount) of width \(model.headWidth), \(model.kvHeadCount) for keys and values"),
            ("feed-forward", Format.count(model.feedForwardWidth)),
            ("vocabulary", Format.count(model.vocabularySize)), ("context", Format.count(model.contextLength)),
            ("positions", positions(model.positions)),
        ]
        if let window = model.slidingWindow {
            let windowed = model.windowedLayers.count { $0 }
            entries.append(("window", "\(Format.count(window)) in \(windowed) of \(model.layerCount) layers"))
        }
        if let experts = model.experts { entries.append(("experts", "\(experts.used) of \(experts.count)")) }
        if let pooling = model.pooling { entries.append(("pooling", pooling.rawValue)) }
        let width = entries.map(\.0.count).max() ?? 0
        return entries.map { $0.0.padded(to: width + 2) + $0.1 }.joined(separator: "\n")
    }

    private func positions(_ encoding: PositionEncoding) -> String {
        switch encoding {
        case .learned: "learned"
        case .sinusoidal: "sinusoidal"
        case .alibi: "ALiBi"
        case .none: "none"
        case .rotary(let rotary):
            "rotary, base \(Format.compact(Int(rotary.base)))" + (rotary.scaling == .none ? "" : ", scaled")
        }
    }
}

import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import JSON
import Kernels
import ModelLab
import Models
import System
import Workspace

extension ModelCommand {
    struct Quantize: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "quantize", abstract: "Quantize a model, and report the error.",
            discussion: """
                q8_0, q4_0, q4_k_m, q4_k_s, q5_k_m, q6_k, f32, f16, and bf16 produce a GGUF file; nf4 and int8 produce \
                a folder of safetensors in bitsandbytes format. With --text, both models read the text, and the \
                command also reports the divergence between their predictions.
                """)

        @OptionGroup var model: ModelFileArgument

        @Argument(help: "File or folder to write.", completion: .file())
        var destination: String

        @Option(
            name: .shortAndLong,
            help: "Target format, such as q4_k_m or nf4 (list above).")
        var type: String

        @Option(help: "Text file on which to compare the two models' predictions.", completion: .file())
        var text: String?

        @Flag(help: "Overwrite an existing file.")
        var force = false

        @OptionGroup var reading: JSONOption

        func validate() throws { _ = try QuantizationTarget.named(type) }

        func result(in options: JSONOption) throws -> some Presentable {
            let source = try model.path()
            guard force || access(destination, F_OK) != 0 else {
                throw Problem(
                    .invalid, "", "\(destination) already exists", remedy: "Add --force to overwrite the file.")
            }
            guard try Checkpoints.summary(source).parameters > 0 else {
                throw Problem(
                    .invalid, "", "\(source) contains a vocabulary but no weights",
                    remedy: "Choose a file with weights.")
            }
            let reading = try text.map { try SmallFile.text($0) }
            let line = FractionLine("quantizing")
            defer { line.end() }
            let cancellation = Cancellation()
            let quantizer = Quantizer(try .named(type), replaces: force)
            let report = try Interruption.cancelling(cancellation) {
                try quantizer.run(from: source, to: destination, isCancelled: { cancellation.isCancelled }) {
                    line.show($0.fraction, "\($0.tensor)  \($0.format)")
                }
            }
            line.end()
            let divergence = try reading.map { reading in
                try ModelDivergence.measure(
                    source, destination, text: reading,
                    isCancelled: { cancellation.isCancelled }
                ) { line.show($0, "reading") }
            }
            line.end()
            return Report(object: {
                $0.member("quantization", report)
                $0.member("divergence", ifPresent: divergence)
            }) { QuantizationText(report: report, divergence: divergence).text }
        }
    }
}

extension QuantizationTarget {
    /// Parses a value of `--type`.
    static func named(_ word: String) throws -> QuantizationTarget {
        guard let target = QuantizationTarget(rawValue: word.lowercased()) else {
            throw ValidationError(
                "unknown --type \"\(word)\". Use \(allCases.map(\.rawValue).joined(separator: ", ")).")
        }
        return target
    }
}

/// A quantization report as text.
struct QuantizationText {
    let report: QuantizationReport
    let divergence: ModelDivergence?

    var text: String {
        var lines = [
            "\(report.path)  \(Format.bytes(report.bytesBefore)) → \(Format.bytes(report.bytesAfter)), "
                + "\(report.tensors.count) tensors in \(Format.duration(seconds: report.seconds))"
        ]
        if report.error.relative > 0 {
            lines.append(
                "error  \(Format.percent(report.error.relative, digits: 2)) of the weights' root mean square, "
                    + "maximum \(Format.compact(report.error.maximum))")
            var table = TextTable(["largest errors", "format", "error", "maximum"], rightAligned: [2, 3])
            for tensor in report.worst() {
                table.add([
                    tensor.name, "\(tensor.from) → \(tensor.to)",
                    tensor.error.map { Format.percent($0.relative, digits: 2) } ?? "",
                    tensor.error.map { Format.compact($0.maximum) } ?? "",
                ])
            }
            lines += ["", table.text]
        }
        let wanted = report.target.format.rawValue.uppercased()
        if !report.tensors.contains(where: { $0.to.uppercased() == wanted }) {
            lines.append(
                "no tensor was converted to \(wanted): the format's block size does not divide this model's row lengths"
            )
        }
        if let divergence { lines += ["", divergence.sentence] }
        return lines.joined(separator: "\n")
    }
}

internal import JSON
internal import Kernels
internal import Tensors

/// Reads damaged model files, again and again.
///
/// The user of the fuzzer watches for crashes and unbounded memory. The report counts how many files were rejected with
/// a sentence, and how many could still be read.
package enum ModelFileFuzzer {
    package enum Kind: String, CaseIterable, Sendable {
        case gguf, safetensors
        case configuration = "config.json"
        case llama2c
    }

    package struct Report: Hashable, Sendable {
        package var runs = 0
        package var refused = 0
        /// Opened, with all tensors read.
        package var read = 0
        /// Refusals without a sentence that ends as one: defects.
        package var wordless: [String] = []
    }

    /// Damages `bytes` in `count` ways and reads each.
    package static func run(_ kind: Kind, on bytes: [UInt8], seed: UInt64, count: Int) -> Report {
        var report = Report()
        for number in 0..<count {
            var damage = ModelFileDamage(seed: seed &+ UInt64(number) &* 0x9e37_79b9)
            let damaged = damage.damaged(bytes)
            report.runs += 1
            guard let guarded = GuardedBytes(damaged) else { break }
            defer { withExtendedLifetime(guarded) {} }
            do {
                try read(guarded.bytes, kind)
                report.read += 1
            } catch {
                report.refused += 1
                if !error.sentence.hasSuffix(".") { report.wordless.append(error.sentence) }
            }
        }
        return report
    }

    private static func read(_ bytes: UnsafeRawBufferPointer, _ kind: Kind) throws(ModelError) {
        let file = MappedFile(memory: bytes, named: "damaged")
        switch kind {
        case .gguf:
            let model = try GGUFFile(file)
            for key in model.metadata.keys {
                _ = model.metadata[key]
                _ = model.metadata.strings(key)
                _ = model.metadata.floats(key)
            }
            _ = model.vocabulary
            let (names, weights) = try GGUFSplit.index([model])
            _ = try GGUFConfiguration("damaged", model.metadata) { weights[$0] }.read()
            for name in names { try touch(weights[name]) }
        case .safetensors:
            let tensors = try SafetensorsFile(file)
            let (names, weights) = try HuggingFaceFolder.named([tensors], .llama)
            for name in names { try touch(weights[name]) }
        case .configuration:
            let document: JSONDocument
            do {
                document = try JSONDocument(parsing: bytes, maximumDepth: 64)
            } catch {
                throw ModelError("damaged", offset: error.offset, problem: "invalid JSON")
            }
            let family = try document.withRoot { (root) throws(ModelError) in
                try HuggingFaceConfiguration.family(root, "/nowhere/config.json", among: .standard)
            }
            _ = try HuggingFaceConfiguration(folder: "/nowhere", family: family, tensors: [:]).read(document)
        case .llama2c:
            guard let header = Llama2CHeader(file) else {
                throw ModelError("damaged", problem: "not a llama2.c file")
            }
            for weights in Llama2CFile.weights(file, header).1.values { try touch(weights) }
        }
    }

    /// Reads every number of a tensor.
    private static func touch(_ weights: StoredWeights?) throws(ModelError) {
        guard let weights, weights.format != nil, weights.elementCount > 0 else { return }
        let shape = weights.logicalShape
        guard shape.count == 2 else {
            _ = try weights.floats(weights.name)
            return
        }
        let matrix = try weights.matrix(weights.name, rows: shape[0], columns: shape[1])
        var row = [Float](repeating: 0, count: shape[1])
        for number in 0..<shape[0] {
            row.withUnsafeMutableBufferPointer { matrix.decode(row: number, into: $0.baseAddress!) }
        }
    }
}

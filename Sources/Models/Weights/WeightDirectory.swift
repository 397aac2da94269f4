package import Kernels

/// A checkpoint that knows where in files each tensor lies: what the file formats share.
package protocol WeightDirectory: Checkpoint {
    /// The tensor under a name of GGUF.
    func stored(_ name: String) -> StoredWeights?
}

extension WeightDirectory {
    package var weightBytes: Int { tensorNames.reduce(0) { $0 + (stored($1)?.storedByteCount ?? 0) } }

    package func shape(of name: String) -> [Int]? {
        if let stored = stored(name) { return stored.logicalShape }
        // Experts that lie one by one are shown stacked.
        guard let first = expert(0, of: name) else { return nil }
        var count = 1
        while expert(count, of: name) != nil { count += 1 }
        return [count] + first.logicalShape
    }

    package func matrix(_ name: String, rows: Int, columns: Int) throws(ModelError) -> WeightMatrix {
        let stored = try found(name)
        try expect(name, stored, [rows, columns])
        return try stored.matrix(name, rows: rows, columns: columns)
    }

    package func matrices(
        _ name: String, count: Int, rows: Int, columns: Int
    ) throws(ModelError) -> [WeightMatrix] {
        var experts: [WeightMatrix] = []
        if let stored = stored(name) {
            try expect(name, stored, [count, rows, columns])
            for number in 0..<count {
                experts.append(try stored.matrix(name, part: number, rows: rows, columns: columns))
            }
        } else {
            for number in 0..<count {
                guard let stored = expert(number, of: name) else { throw missing("\(name), expert \(number)") }
                try expect(name, stored, [rows, columns])
                experts.append(try stored.matrix(name, rows: rows, columns: columns))
            }
        }
        return experts
    }

    package func vector(_ name: String, count: Int) throws(ModelError) -> [Float] {
        let stored = try found(name)
        guard stored.elementCount == count else {
            throw wrong(name, stored, expected: [count])
        }
        return try stored.floats(name)
    }

    private func found(_ name: String) throws(ModelError) -> StoredWeights {
        guard let stored = stored(name) else { throw missing(name) }
        return stored
    }

    private func expect(_ name: String, _ stored: StoredWeights, _ shape: [Int]) throws(ModelError) {
        guard stored.logicalShape == shape else { throw wrong(name, stored, expected: shape) }
    }

    private func missing(_ name: String) -> ModelError {
        ModelError(
            path, problem: "tensor \(name) is missing",
            remedy: "The file may be incomplete, or not a \(configuration.family.name) model. Download it again.")
    }

    private func wrong(_ name: String, _ stored: StoredWeights, expected: [Int]) -> ModelError {
        stored.failure(
            "\(name) has shape \(stored.logicalShape), but the configuration requires \(expected)",
            remedy: "The configuration and the weights do not match. Download both again.")
    }

    /// `blk.3.ffn_gate_exps.weight` lies as `blk.3.ffn_gate.0.weight` and so on, in old files and those of Hugging Face.
    private func expert(_ number: Int, of name: String) -> StoredWeights? {
        guard let range = name.firstRange(of: "_exps.") else { return nil }
        return stored(name[..<range.lowerBound] + ".\(number)." + name[range.upperBound...])
    }
}

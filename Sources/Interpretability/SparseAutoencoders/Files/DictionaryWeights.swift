internal import Formatting
internal import Kernels
internal import Models
internal import Synchronization
internal import System
internal import Tensors

/// The tensors of a dictionary's file: shapes are checked before any is read, numbers before any is used.
struct DictionaryWeights {
    let path: String
    let inputWidth: Int
    let featureCount: Int
    private let file: TensorFile
    /// The file's own name of each tensor, by the name that sae-lens gives it.
    private let names: [String: String]

    init(_ path: String) throws(Problem) {
        self.path = path
        file = try Self.reading { () throws(TensorFileError) in try TensorFile.open(path) }
        var names: [String: String] = [:]
        for name in file.names {
            names[name.hasPrefix("w_") ? "W_" + name.dropFirst(2) : name] = name
        }
        self.names = names
        let file = file
        func shape(_ name: String) throws(Problem) -> [Int] {
            guard let own = names[name] else {
                throw Problem(
                    .missing, path, "missing \(name)", remedy: "A dictionary needs W_enc, b_enc, W_dec, and b_dec.")
            }
            return try Self.reading { () throws(TensorFileError) in try file.shape(of: own) }
        }
        let (encoder, decoder) = (try shape("W_enc"), try shape("W_dec"))
        guard encoder.count == 2, encoder.allSatisfy({ $0 > 0 && $0 <= Int(Int32.max) }),
            decoder == encoder.reversed()
        else {
            throw Problem(
                .invalid, path, "W_enc has shape \(encoder) and W_dec \(decoder)", remedy: "Expected [d, F] and [F, d]."
            )
        }
        (inputWidth, featureCount) = (encoder[0], encoder[1])
        try checkMemory()
    }

    /// Compares with what a configuration says.
    func check(width: Int?, features: Int?) throws(Problem) {
        guard width ?? inputWidth == inputWidth, features ?? featureCount == featureCount else {
            throw Problem(
                .invalid, path,
                "W_enc has shape [\(inputWidth), \(featureCount)], but the configuration says "
                    + "[\(width ?? inputWidth), \(features ?? featureCount)]",
                remedy: "Use two files of the same dictionary.")
        }
    }

    func has(_ name: String) -> Bool { names[name] != nil }
    func encoder() throws(Problem) -> Tensor<Float> { try matrix("W_enc", [inputWidth, featureCount]) }
    func bias() throws(Problem) -> Tensor<Float> { try matrix("b_dec", [inputWidth]) }
    func vector(_ name: String) throws(Problem) -> Tensor<Float> { try matrix(name, [featureCount]) }
    func zeros() throws(Problem) -> Tensor<Float> {
        try telling { try Tensor(repeating: 0, shape: [featureCount]) }
    }

    /// W_dec, its rows times the factors that some older dictionaries were given afterwards.
    func decoder(scaled: Bool) throws(Problem) -> Tensor<Float> {
        let decoder = try matrix("W_dec", [featureCount, inputWidth])
        guard has("scaling_factor") || has("finetuning_scaling_factor") else { return decoder }
        let factors = try vector(has("scaling_factor") ? "scaling_factor" : "finetuning_scaling_factor")
        if factors.elements.allSatisfy({ abs($0 - 1) <= 1e-5 }) { return decoder }
        guard scaled else {
            throw Problem(
                .invalid, path, "the file has a scaling_factor, but the configuration does not mention it",
                remedy: "If the dictionary was trained with it, set finetuning_scaling_factor in cfg.json.")
        }
        return try telling { try decoder * factors.reshaped([featureCount, 1]) }
    }

    /// Returns θ, from its logarithm if that is stored. An infinite threshold disables its feature.
    func threshold() throws(Problem) -> Tensor<Float> {
        if has("threshold") { return try matrix("threshold", [featureCount], allowsInfinity: true) }
        if has("log_threshold") {
            let logarithm = try vector("log_threshold")
            return try telling { try exp(logarithm) }
        }
        throw Problem(
            .missing, path, "missing threshold, which JumpReLU needs",
            remedy: "Save the dictionary again for inference.")
    }

    /// A tensor of one number.
    func number(_ name: String) throws(Problem) -> Float {
        guard let own = names[name] else {
            throw Problem(.missing, path, "missing \(name)", remedy: "Save the dictionary again for inference.")
        }
        let file = file
        let entry = try Self.reading { () throws(TensorFileError) in try file.entry(own) }
        guard entry.shape.allSatisfy({ $0 == 1 }) else {
            throw Problem(.invalid, path, "\(name) has shape \(entry.shape), expected one number")
        }
        let tensor = try matrix(name, entry.shape)
        return tensor.elements[0]
    }

    private func matrix(
        _ name: String, _ shape: [Int], allowsInfinity: Bool = false
    ) throws(Problem) -> Tensor<Float> {
        guard let own = names[name] else {
            throw Problem(.missing, path, "missing \(name)", remedy: "Save the dictionary again.")
        }
        let file = file
        let entry = try Self.reading { () throws(TensorFileError) in try file.entry(own) }
        guard entry.shape == shape else {
            throw Problem(.invalid, path, "\(name) has shape \(entry.shape), expected \(shape)")
        }
        guard let type = entry.dataType, type.isFloatingPoint else {
            throw Problem(.invalid, path, "\(name) contains \(entry.spelling) instead of floating-point numbers")
        }
        let stored = try Self.reading { () throws(TensorFileError) in try file.tensor(named: own) }
        let tensor = try telling { try stored.converted(to: Float.self) }
        if let place = try Self.firstUnusable(tensor, allowsInfinity: allowsInfinity) {
            throw Problem(
                .invalid, path, "element \(place) of \(name) is not finite",
                remedy: "The dictionary is corrupt or its training diverged. Use a different checkpoint.")
        }
        return tensor
    }

    /// What must be copied has to fit into memory: all but float32 of safetensors, which stays in the file's.
    private func checkMemory() throws(Problem) {
        var needed = 0
        for name in names.values {
            let file = file
            let entry = try Self.reading { () throws(TensorFileError) in try file.entry(name) }
            if file.format == .safetensors, entry.dataType == .float32 { continue }
            let count = entry.shape.reduce((1, false)) { total, size in
                let (product, overflow) = total.0.multipliedReportingOverflow(by: size)
                return (product, total.1 || overflow)
            }
            let (bytes, overflow) = count.0.multipliedReportingOverflow(by: 12)
            let (sum, overflow2) = needed.addingReportingOverflow(bytes)
            needed = count.1 || overflow || overflow2 ? .max : sum
        }
        let free = MemoryLimit.available
        guard needed <= free else {
            throw Problem(
                .invalid, path, "\(Self.gigabytes(needed)) of memory needed, \(Self.gigabytes(free)) free",
                remedy: "Use a dictionary with fewer features, or close other programs.")
        }
    }

    private static func gigabytes(_ bytes: Int) -> String {
        bytes == .max ? "more than any machine has" : Format.bytes(bytes)
    }

    /// Returns the first number that is NaN or infinite; `nil` if all numbers are usable.
    private static func firstUnusable(
        _ tensor: Tensor<Float>, allowsInfinity: Bool
    ) throws(Problem) -> Int? {
        try telling {
            try tensor.withElements { numbers in
                let (group, count) = (1 << 18, numbers.count)
                let first = Atomic(Int.max)
                ThreadPool.shared.run(chunks: (count + group - 1) / group) { chunk, _ in
                    let part = chunk * group..<min(count, (chunk + 1) * group)
                    // NaN and infinity are the bit patterns from that of infinity on, without the sign.
                    var most: Int32 = 0
                    for i in part { most = max(most, Int32(bitPattern: numbers[i].bitPattern & 0x7FFF_FFFF)) }
                    guard most >= 0x7F80_0000 else { return }
                    let place = part.first { allowsInfinity ? numbers[$0].isNaN : !numbers[$0].isFinite }
                    if let place { first.min(place, ordering: .relaxed) }
                }
                let place = first.load(ordering: .relaxed)
                return place == .max ? nil : place
            }
        }
    }

    private static func reading<R>(_ body: () throws(TensorFileError) -> R) throws(Problem) -> R {
        do {
            return try body()
        } catch {
            throw Problem(ModelError(error))
        }
    }
}

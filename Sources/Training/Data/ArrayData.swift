public import System
public import Tensors

/// Examples to learn from and to be tested on: inputs and what belongs to them.
public struct ArrayData {
    public enum Targets {
        /// The index of a class for each example.
        case classes([Int32], count: Int)
        /// [examples, outputs].
        case numbers(Tensor<Float>)
    }

    /// [examples, ...].
    public let inputs: Tensor<Float>
    public let targets: Targets
    /// Indices of examples that are learned, and of those that are not.
    let train: [Int]
    let validation: [Int]
    /// Of everything.
    public let digest: UInt64

    /// Numbers that the model answers with.
    public var outputs: Int {
        switch targets {
        case .classes(_, let count): count
        case .numbers(let tensor): tensor.shape[1]
        }
    }

    /// Reads .npz and safetensors files as a configuration names them.
    public init(_ configuration: TrainingConfiguration) throws(Problem) {
        let data = configuration.data
        let seed = configuration.run.seed
        var files: [(inputs: Tensor<Float>, targets: Targets)] = []
        for path in data.train + data.validation { files.append(try Self.read(path, data)) }
        let counts = files.map { $0.inputs.shape[0] }
        do {
            inputs = try Self.joined(files.map(\.inputs), data.train + data.validation)
            targets = try Self.joined(files.map(\.targets), data)
        } catch { throw Problem(error, in: configuration.path) }
        let total = counts.reduce(0, +)
        if case .classes(let classes, let count) = targets, count > max(total, 2), let largest = classes.max() {
            throw Problem(
                .invalid, (data.train + data.validation).joined(separator: ", "),
                "\(data.targets) contains class \(largest) but only \(total) examples",
                remedy: "Number the classes 0, 1, 2, ... without gaps.")
        }
        let trained = counts.prefix(data.train.count).reduce(0, +)
        if data.validation.isEmpty, data.validationShare > 0 {
            var random = PhiloxGenerator(seed: seed, stream: .max)
            let order = random.permutation(total)
            let held = Int(Double(total) * data.validationShare)
            validation = order.prefix(held).sorted()
            train = order.dropFirst(held).sorted()
        } else {
            train = Array(0..<trained)
            validation = Array(trained..<total)
        }
        guard !train.isEmpty else {
            throw Problem(.missing, data.train.joined(separator: ", "), "there are no training examples")
        }
        digest = Self.digest(inputs, targets)
    }

    private static func read(
        _ path: String, _ data: TrainingConfiguration.Data
    ) throws(Problem) -> (inputs: Tensor<Float>, targets: Targets) {
        do {
            let file = try TensorFile.open(path)
            let inputs = try file.tensor(named: data.inputs).converted(to: Float.self)
            let stored = try file.tensor(named: data.targets)
            guard inputs.rank >= 2, let examples = stored.shape.first, examples == inputs.shape[0] else {
                throw Problem(
                    .invalid, path,
                    "\(data.inputs) \(inputs.shape) and \(data.targets) \(stored.shape) do not match: both "
                        + "must start with the number of examples, and the inputs need another axis")
            }
            guard examples > 0 else { throw Problem(.missing, path, "the file has no examples") }
            try checkNumbers(of: inputs, data.inputs, path)
            if data.task == .regression {
                let numbers = try stored.converted(to: Float.self)
                guard numbers.rank <= 2 else {
                    throw Problem(
                        .invalid, path, "\(data.targets) has shape \(stored.shape), expected [examples, outputs]")
                }
                let outputs = numbers.count / examples
                guard outputs > 0 else {
                    throw Problem(.missing, path, "\(data.targets) \(stored.shape) has no outputs")
                }
                try checkNumbers(of: numbers, data.targets, path)
                return (inputs, .numbers(try numbers.reshaped([examples, outputs])))
            }
            guard case .int32(let classes) = stored, classes.count == examples else {
                throw Problem(
                    .invalid, path,
                    "\(data.targets) holds \(stored.dataType.rawValue) \(stored.shape), not one integer for "
                        + "each example", remedy: "Set data.task to \"regression\", or save integers.")
            }
            let indices = classes.elements
            if let place = indices.firstIndex(where: { $0 < 0 || $0 >= 1 << 20 }) {
                throw Problem(
                    .invalid, path,
                    "\(data.targets) of example \(place) is class \(indices[place]), which is out of range: "
                        + "classes start at 0 and must be below \(1 << 20)")
            }
            let largest = indices.max() ?? 0
            return (inputs, .classes(indices, count: Int(largest) + 1))
        } catch {
            throw Problem(error, reading: path)
        }
    }

    /// - Throws: An error with the first value that is not finite.
    private static func checkNumbers(of tensor: Tensor<Float>, _ name: String, _ path: String) throws(Problem) {
        let place: Int?
        do {
            place = try tensor.withElements { (elements) throws(TensorError) in elements.firstIndex { !$0.isFinite } }
        } catch {
            throw Problem(error, in: path)
        }
        guard let place else { return }
        let example = place / max(1, tensor.count / max(1, tensor.shape[0]))
        throw Problem(
            .invalid, path, "\(name) of example \(example) has a value that is not finite",
            remedy: "Remove the example, or fill the gap.")
    }

    private static func joined(_ inputs: [Tensor<Float>], _ paths: [String]) throws -> Tensor<Float> {
        for (tensor, path) in zip(inputs, paths) where tensor.shape.dropFirst() != inputs[0].shape.dropFirst() {
            throw Problem(
                .invalid, path,
                "inputs are \(tensor.shape.dropFirst()), but in \(paths[0]) they are "
                    + "\(inputs[0].shape.dropFirst())", remedy: "All files need the same shape.")
        }
        return inputs.count == 1 ? try inputs[0].contiguous() : try concatenate(inputs, axis: 0).contiguous()
    }

    private static func joined(_ targets: [Targets], _ data: TrainingConfiguration.Data) throws -> Targets {
        var classes: [Int32] = []
        var count = 0
        var numbers: [Tensor<Float>] = []
        for target in targets {
            switch target {
            case .classes(let indices, let own):
                classes += indices
                count = max(count, own)
            case .numbers(let tensor): numbers.append(tensor)
            }
        }
        return data.task == .regression ? .numbers(try concatenate(numbers, axis: 0)) : .classes(classes, count: count)
    }

    private static func digest(_ inputs: Tensor<Float>, _ targets: Targets) -> UInt64 {
        var digest = Digest()
        func add(_ numbers: [Float]) { numbers.withUnsafeBytes { digest.update($0) } }
        for size in inputs.shape { digest.update(UInt64(size)) }
        add(inputs.elements)
        switch targets {
        case .classes(let indices, _): indices.withUnsafeBytes { digest.update($0) }
        case .numbers(let tensor): add(tensor.elements)
        }
        return digest.value
    }

    /// Examples by their indices.
    func rows(_ indices: [Int]) throws(TensorError) -> Tensor<Float> {
        let width = inputs.count / inputs.shape[0]
        let base = inputs.base
        let result = try Tensor<Float>(shape: [indices.count] + inputs.shape.dropFirst()) { target in
            for (place, index) in indices.enumerated() {
                (target.baseAddress! + place * width).update(from: base + index * width, count: width)
            }
        }
        return withExtendedLifetime(inputs) { result }
    }
}

internal import JSON
internal import System
internal import Tensors

/// A run at the end of a step, as one safetensors file.
///
/// Tensors: `weight/<parameter>`, `optimizer/<parameter>/<kind>`, `average/<parameter>`, and `state/...` for the numbers
/// of the run. Metadata: step, digests of the configuration and of the data, the settings, the version, and a checksum
/// of all the rest.
struct TrainingCheckpoint {
    /// What runs must share to go on from each other.
    struct Identity: Equatable {
        var configuration: UInt64
        var data: UInt64
        /// Key and value of every setting; for a sentence about what differs.
        var settings: [String: String]
        /// The program that wrote it.
        var version: String
    }

    typealias Entries = [(name: String, value: Tensor<Float>)]

    var identity: Identity
    var state: TrainingState
    /// By parameter.
    var weights: Entries
    var optimizer: Entries
    /// Steps that the optimizer counts.
    var optimizerSteps: Int
    /// Averaged weights; empty if there are none.
    var averages: Entries
    /// Steps that the whole run was to make when this was written; `nil` if the file does not say.
    var plannedSteps: Int?

    private static let kind = "training checkpoint 1"

    /// Tensors and texts of the file.
    func parts() throws(Problem) -> (tensors: [(name: String, tensor: AnyTensor)], metadata: [String: String]) {
        var tensors: [(name: String, tensor: AnyTensor)] = []
        for (name, value) in weights { tensors.append(("weight/\(name)", AnyTensor(value))) }
        for (name, value) in optimizer { tensors.append(("optimizer/\(name)", AnyTensor(value))) }
        for (name, value) in averages { tensors.append(("average/\(name)", AnyTensor(value))) }
        do {
            // Numbers stand in tensors: no digit is lost on their way through text.
            let numbers = [state.rateFactor, state.best, Double(state.watch.streak), Double(state.returns)]
            tensors.append(("state/numbers", AnyTensor(try Tensor(numbers))))
            tensors.append(("state/losses", AnyTensor(try Tensor(state.watch.recent))))
        } catch {
            throw Problem(.failed, "", "cannot assemble the checkpoint of step \(state.step): \(error)")
        }
        var settings = JSONWriter()
        settings.object { $0.members(of: identity.settings) }
        var metadata = [
            "orrery": Self.kind, "step": String(state.step), "version": identity.version,
            "configuration": Digest.text(identity.configuration), "data": Digest.text(identity.data),
            "settings": settings.text, "optimizer_steps": String(optimizerSteps),
        ]
        if let plannedSteps { metadata["steps"] = String(plannedSteps) }
        metadata["checksum"] = try Self.checksum(tensors, metadata)
        return (tensors, metadata)
    }

    /// Reads a file and compares its checksum.
    ///
    /// - Throws: a sentence that begins with the path.
    init(contentsOf path: String) throws(Problem) {
        let file: TensorFile
        var tensors: [(name: String, tensor: AnyTensor)] = []
        do {
            file = try TensorFile.open(path)
            guard file.metadata["orrery"] == Self.kind else {
                throw Problem(
                    .invalid, path, "not a training checkpoint",
                    remedy: "Use a step-N.safetensors file of a run folder.")
            }
            for name in file.names { tensors.append((name, try file.tensor(named: name))) }
        } catch {
            throw Problem(error, reading: path)
        }
        var metadata = file.metadata
        let checksum = metadata.removeValue(forKey: "checksum")
        guard try Self.checksum(tensors, metadata) == checksum else {
            throw Problem(
                .corrupt, path, "corrupt checkpoint: the checksum does not match", remedy: "Use an earlier checkpoint.")
        }
        guard let step = metadata["step"].flatMap({ Int($0) }), step >= 0,
            let optimizerSteps = metadata["optimizer_steps"].flatMap({ Int($0) }),
            let configuration = metadata["configuration"].flatMap({ UInt64($0, radix: 16) }),
            let data = metadata["data"].flatMap({ UInt64($0, radix: 16) })
        else { throw Problem(.corrupt, path, "incomplete checkpoint metadata", remedy: "Use an earlier checkpoint.") }
        self.optimizerSteps = optimizerSteps
        plannedSteps = metadata["steps"].flatMap { Int($0) }
        identity = Identity(
            configuration: configuration, data: data, settings: Self.texts(metadata["settings"] ?? ""),
            version: metadata["version"] ?? "")
        state = TrainingState(step: step)
        (weights, optimizer, averages) = ([], [], [])
        for (name, tensor) in tensors {
            guard let slash = name.firstIndex(of: "/") else { continue }
            let rest = String(name[name.index(after: slash)...])
            switch (name[..<slash], tensor) {
            case ("weight", .float32(let value)): weights.append((rest, try Self.own(value, path)))
            case ("optimizer", .float32(let value)): optimizer.append((rest, try Self.own(value, path)))
            case ("average", .float32(let value)): averages.append((rest, try Self.own(value, path)))
            case ("state", .float64(let value)) where rest == "losses":
                state.watch = DivergenceWatch(recent: value.elements, streak: state.watch.streak)
            case ("state", .float64(let value)) where rest == "numbers" && value.count == 4:
                let numbers = value.elements
                state.rateFactor = numbers[0]
                state.best = numbers[1]
                state.watch = DivergenceWatch(
                    recent: state.watch.recent, streak: Int(exactly: numbers[2]) ?? 0)
                state.returns = Int(exactly: numbers[3]) ?? 0
            default: throw Problem(.invalid, path, "unexpected tensor \(name) in a checkpoint")
            }
        }
        withExtendedLifetime(file) {}
    }

    init(
        identity: Identity, state: TrainingState, weights: Entries, optimizer: Entries, optimizerSteps: Int,
        averages: Entries = [], plannedSteps: Int? = nil
    ) {
        self.identity = identity
        self.state = state
        self.weights = weights
        self.optimizer = optimizer
        self.optimizerSteps = optimizerSteps
        self.averages = averages
        self.plannedSteps = plannedSteps
    }

    /// Memory that is not the file's: steps write into it.
    private static func own(_ tensor: Tensor<Float>, _ path: String) throws(Problem) -> Tensor<Float> {
        do { return try tensor.copied(for: "checkpoint") } catch { throw Problem(error, in: path) }
    }

    private static func checksum(
        _ tensors: [(name: String, tensor: AnyTensor)], _ metadata: [String: String]
    ) throws(Problem) -> String {
        var digest = Digest()
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            digest.update(key)
            digest.update(value)
        }
        for (name, tensor) in tensors.sorted(by: { $0.name < $1.name }) {
            digest.update(name)
            for size in tensor.shape { digest.update(UInt64(size)) }
            do {
                switch tensor {
                case .float32(let tensor):
                    try tensor.withElements { (elements) throws(TensorError) in
                        digest.update(UnsafeRawBufferPointer(elements))
                    }
                case .float64(let tensor):
                    try tensor.withElements { (elements) throws(TensorError) in
                        digest.update(UnsafeRawBufferPointer(elements))
                    }
                default: digest.update(tensor.dataType.rawValue)
                }
            } catch {
                throw Problem(error, in: name)
            }
        }
        return digest.text
    }

    private static func texts(_ json: String) -> [String: String] {
        guard let document = try? JSONDocument(parsing: json, maximumDepth: 4) else { return [:] }
        return document.withRoot { root in
            var texts: [String: String] = [:]
            for (key, value) in root.members {
                if let key = key.string, let value = value.string { texts[key] = value }
            }
            return texts
        }
    }
}

extension JSONWriter {
    fileprivate mutating func members(of texts: [String: String]) {
        for (key, value) in texts.sorted(by: { $0.key < $1.key }) { member(key, value) }
    }
}

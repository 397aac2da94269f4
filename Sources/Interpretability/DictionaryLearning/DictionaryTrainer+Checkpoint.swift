internal import Formatting
internal import Glibc
internal import Kernels
public import System
internal import Tensors

extension DictionaryTrainer {
    private static let kind = "dictionary checkpoint 1"
    /// Numbers of rows that a run may have seen: sums of them do not overflow.
    private static let counts = 0...1 << 52

    /// Writes weights, what Adam keeps, and all else that the next step depends on, as safetensors; the file appears
    /// whole or not at all.
    public func save(to path: String) throws(Problem) {
        let (memory, factor) = (engine.objective.memory, scaling.factor.map { [Double($0)] } ?? [])
        try telling {
            var tensors: [(name: String, tensor: AnyTensor)] = []
            for parameter in engine.parameters {
                for (name, buffer) in parameter.arrays { tensors.append((name, AnyTensor(try Tensor(Array(buffer))))) }
            }
            for (name, numbers) in [
                ("silent_rows", engine.silentRows.map(Double.init)), ("firings", firings.map(Double.init)),
                ("memory", memory), ("factor", factor),
            ] { tensors.append((name, AnyTensor(try Tensor(numbers)))) }
            var metadata = configuration.texts
            metadata.merge(
                [
                    "orrery": Self.kind, "step": "\(step)", "width": "\(width)", "firing_rows": "\(firingRows)",
                    "hook": origin.hook, "model": origin.model, "notes": origin.notes,
                ]) { first, _ in first }
            do { try TensorFile.write(tensors, metadata: metadata, to: path) } catch {
                throw Problem(.failed, path, "cannot write the checkpoint: \(error)")
            }
        }
    }

    /// Goes on from a checkpoint: the next steps are those that the run would have made.
    ///
    /// - Parameter path: A file, or a folder whose last file is used.
    public convenience init(resuming path: String) throws(Problem) {
        try self.init(resuming: path, pool: .shared)
    }

    convenience init(resuming path: String, pool: ThreadPool) throws(Problem) {
        let path = DictionaryCheckpoints.files(in: path).last ?? path
        let file: TensorFile
        do { file = try TensorFile.open(path) } catch {
            throw Problem(.failed, path, "cannot read the checkpoint: \(error)")
        }
        let texts = file.metadata
        guard texts["orrery"] == Self.kind, let configuration = DictionaryConfiguration(texts: texts),
            let width = texts["width"].flatMap({ Int($0) }), let step = texts["step"].flatMap({ Int($0) }),
            (0...configuration.steps).contains(step),
            !step.multipliedReportingOverflow(by: configuration.batchRows).overflow,
            let rows = texts["firing_rows"].flatMap({ Int($0) }), Self.counts.contains(rows)
        else {
            throw Problem(
                .invalid, path, "not a dictionary checkpoint", remedy: "Use a file written by a training run.")
        }
        let origin = SparseAutoencoder.Origin(
            hook: texts["hook"] ?? "", model: texts["model"] ?? "", notes: texts["notes"] ?? "{}")
        try self.init(configuration, width: width, origin: origin, pool: pool)
        self.step = step
        firingRows = rows
        do {
            try read(file)
        } catch {
            throw error as? Problem ?? Problem(.failed, path, "corrupt checkpoint: \(error)")
        }
    }

    private func read(_ file: TensorFile) throws {
        for parameter in engine.parameters {
            for (name, buffer) in parameter.arrays {
                let numbers = try file.tensor(named: name, as: Float.self).elements
                guard numbers.count == buffer.count else {
                    throw Problem(.invalid, file.path, "\(name) has \(numbers.count) numbers, expected \(buffer.count)")
                }
                _ = buffer.update(fromContentsOf: numbers)
            }
        }
        func counts(_ name: String) throws -> [Int] {
            let numbers = try file.tensor(named: name, as: Double.self).elements.compactMap { Int(exactly: $0) }
            guard numbers.count == configuration.features, numbers.allSatisfy(Self.counts.contains) else {
                throw Problem(.invalid, file.path, "\(name) must have \(configuration.features) counts")
            }
            return numbers
        }
        engine.silentRows = try counts("silent_rows")
        firings = try counts("firings")
        engine.objective.memory = try file.tensor(named: "memory", as: Double.self).elements
        scaling.factor = try file.tensor(named: "factor", as: Double.self).elements.first.map { Float($0) }
    }
}

extension DictionaryParameter {
    /// What a checkpoint keeps of it, by name.
    fileprivate var arrays: [(name: String, numbers: UnsafeMutableBufferPointer<Float>)] {
        [(name, values.elements), ("\(name)/first", first.elements), ("\(name)/second", second.elements)]
    }
}

extension DictionaryCheckpoints {
    /// Writes how a trainer stands and removes files that are too old.
    func write(_ trainer: DictionaryTrainer) throws(Problem) {
        if mkdir(folder, 0o777) != 0, errno != EEXIST {
            throw Problem(
                .failed, folder, "cannot create the folder: \(String(cString: strerror(errno)))",
                remedy: "Create it, or use a different folder.")
        }
        try trainer.save(to: "\(folder)/step-\(Format.padded(trainer.step, digits: 9)).safetensors")
        for path in Self.files(in: folder).dropLast(keep) { unlink(path) }
    }

    /// Returns the checkpoints in a folder, the newest last; empty if the path is not a folder.
    static func files(in folder: String) -> [String] {
        Folder.readableNames(in: folder)
            .filter { $0.hasPrefix("step-") && $0.hasSuffix(".safetensors") }
            .map { "\(folder)/\($0)" }
    }
}

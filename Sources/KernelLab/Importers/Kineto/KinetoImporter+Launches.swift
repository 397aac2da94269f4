import JSON

extension KinetoImporter {
    /// Hands all launches on, by start.
    mutating func emit(into sink: ProfileSink, _ source: ProfileSource) throws {
        let tree = OperatorTree(events.operators)
        events.operators = []
        var works = WorkCache(texts: events.texts, parser: parser)
        if events.kernels.isEmpty {
            try emitOperators(tree, &works, into: sink, source)
        } else {
            try emitKernels(tree, &works, into: sink, source)
        }
        if works.lacksShapes {
            sink.note(
                "Some operators have no recorded shapes. Profile with record_shapes=True to count their operations.")
        }
    }

    // MARK: - Kernels

    private mutating func emitKernels(
        _ tree: OperatorTree, _ works: inout WorkCache, into sink: ProfileSink, _ source: ProfileSource
    ) throws {
        events.kernels.sort { $0.start < $1.start }
        let kernels = events.kernels
        let owners = owners(of: kernels, in: tree)
        // The whole work of an operator goes to the longest of its kernels: others prepare or finish.
        var longest: [Int: Int] = [:]
        for (place, owner) in owners.enumerated() where owner >= 0 {
            if let best = longest[owner], kernels[best].duration >= kernels[place].duration { continue }
            longest[owner] = place
        }
        let begun = kernels.first?.start ?? 0
        for (place, kernel) in kernels.enumerated() {
            if place % 4_096 == 0 { try source.checkCancellation() }
            var launch = Launch(ordinal: 0, name: events.text(kernel.name) ?? "")
            let index = Int(kernel.device)
            launch.device = try sink.device("\(index)", name: deviceNames[index] ?? "device \(index)")
            if kernel.stream >= 0 { launch.stream = "\(kernel.stream)" }
            if kernel.correlation != KinetoEvents.none { launch.externalID = "\(kernel.correlation)" }
            launch.start = (kernel.start - begun) * 1e-6
            launch.duration = kernel.duration > 0 ? kernel.duration * 1e-6 : nil
            launch.grid = Self.extent(kernel.grid)
            launch.block = Self.extent(kernel.block)
            launch.registers = kernel.registers >= 0 ? Int(kernel.registers) : nil
            launch.sharedMemory = kernel.shared >= 0 ? Int(kernel.shared) : nil
            if kernel.occupancy.isFinite {
                launch.occupancy = Double(kernel.occupancy) / 100
                launch.notes.append("The occupancy is the profiler's estimate.")
            }
            let owner = owners[place]
            if owner >= 0 {
                let operation = tree.operators[owner]
                launch.source = Launch.SourceOperation(
                    name: events.text(operation.name) ?? "", dimensions: events.text(operation.dimensions))
                if longest[owner] == place {
                    works.apply(operation, onDevice: true, to: &launch)
                } else if works.work(of: operation) != nil {
                    launch.notes.append("The work of the operator is assigned to its longest kernel.")
                }
            }
            try sink.add(launch)
        }
    }

    /// The operator of each kernel, -1 if there is none.
    private func owners(of kernels: [KinetoEvents.Kernel], in tree: OperatorTree) -> [Int] {
        var byID: [Int64: Int] = [:]
        for (place, operation) in tree.operators.enumerated() where operation.externalID != KinetoEvents.none {
            // Later and so further inside: some releases give an operator and the ones in it the same number.
            byID[operation.externalID] = place
        }
        return kernels.map { kernel in
            if kernel.externalID != KinetoEvents.none, let place = byID[kernel.externalID] { return place }
            guard kernel.correlation != KinetoEvents.none, let call = events.calls[kernel.correlation] else {
                return -1
            }
            if call.externalID != KinetoEvents.none, let place = byID[call.externalID] { return place }
            return tree.innermost(at: call.start, on: call.thread) ?? -1
        }
    }

    private static func extent(_ sides: (Int32, Int32, Int32)) -> Extent? {
        sides.0 < 0 ? nil : Extent(Int(sides.0), Int(sides.1), Int(sides.2))
    }

    // MARK: - Operators

    private func emitOperators(
        _ tree: OperatorTree, _ works: inout WorkCache, into sink: ProfileSink, _ source: ProfileSource
    ) throws {
        let known = Set(
            events.texts.indices.filter { OperatorWork.knows(events.texts[$0]) }.map { Int32($0) })
        var places = tree.leaves { known.contains($0) }
        guard !places.isEmpty else { return }
        places.sort { tree.operators[$0].start < tree.operators[$1].start }
        let device = try sink.device("cpu", name: "CPU")
        sink.note("The trace has no device kernels: the launches are the innermost operators on the CPU.")
        let begun = tree.operators[places[0]].start
        for (number, place) in places.enumerated() {
            if number % 4_096 == 0 { try source.checkCancellation() }
            let operation = tree.operators[place]
            var launch = Launch(ordinal: 0, name: events.text(operation.name) ?? "", device: device)
            if operation.externalID != KinetoEvents.none { launch.externalID = "\(operation.externalID)" }
            launch.stream = events.text(operation.thread)
            launch.start = (operation.start - begun) * 1e-6
            launch.duration = operation.duration > 0 ? operation.duration * 1e-6 : nil
            launch.source = Launch.SourceOperation(
                name: launch.name, dimensions: events.text(operation.dimensions))
            works.apply(operation, onDevice: false, to: &launch)
            try sink.add(launch)
        }
    }
}

/// The work of operators by what their texts say: a model runs the same few shapes again and again.
struct WorkCache {
    private struct Key: Hashable {
        var name: Int32
        var dimensions: Int32
        var types: Int32
        var concrete: Int32
    }

    private let texts: [String]
    private let parser: JSONParser
    private var known: [Key: (work: OperatorWork?, signature: OperatorSignature)] = [:]
    private(set) var lacksShapes = false

    init(texts: [String], parser: JSONParser) {
        self.texts = texts
        self.parser = parser
    }

    private func text(_ place: Int32) -> String? { place >= 0 ? texts[Int(place)] : nil }

    mutating func work(of operation: KinetoEvents.Operator) -> OperatorWork? { entry(operation).work }

    /// Fills a launch with the work and the least traffic of its operator.
    mutating func apply(_ operation: KinetoEvents.Operator, onDevice: Bool, to launch: inout Launch) {
        let (work, signature) = entry(operation)
        guard let work, work.operations.isFinite else { return }
        let kind = signature.kind(onDevice: onDevice)
        guard kind.isWork else { return }
        launch.operations.append(.init(kind, .estimate(work.operations)))
        launch.notes.append(
            "Operations are computed from the shapes of \(launch.source?.name ?? "the operator"): \(work.formula).")
        if kind == .f32, onDevice { launch.notes.append("An f32 product may run as TF32 on matrix units.") }
        guard let bytes = signature.elementBytes else { return }
        launch.traffic.append(.init(.dram, .estimate(work.elements * bytes)))
        launch.notes.append("DRAM: the minimum traffic, with every input and output moved once.")
    }

    private mutating func entry(
        _ operation: KinetoEvents.Operator
    ) -> (work: OperatorWork?, signature: OperatorSignature) {
        let key = Key(
            name: operation.name, dimensions: operation.dimensions, types: operation.types,
            concrete: operation.concrete)
        if let entry = known[key] { return entry }
        let signature = OperatorSignature(
            dimensions: text(key.dimensions), types: text(key.types),
            concrete: text(key.concrete), parser: parser)
        let name = text(key.name) ?? ""
        let entry = (OperatorWork.of(name, signature.inputs), signature)
        if entry.0 == nil, key.dimensions < 0, OperatorWork.knows(name) { lacksShapes = true }
        known[key] = entry
        return entry
    }
}

internal import Kernels
internal import Tensors

/// A GGUF file that is made from a checkpoint.
struct QuantizedGGUF {
    private let target: QuantizationTarget
    private let checkpoint: any WeightDirectory
    private let encoder: TensorEncoder

    /// A tensor with the type that it will have.
    private struct Plan {
        var source: QuantizationSource
        var type: GGMLType
        /// Target format; `nil` if the bytes are copied unchanged.
        var format: WeightFormat?
    }

    init(_ target: QuantizationTarget, _ checkpoint: any WeightDirectory, _ encoder: TensorEncoder) {
        self.target = target
        self.checkpoint = checkpoint
        self.encoder = encoder
    }

    func write(to path: String, progress: (QuantizationProgress) -> Void) throws(ModelError) -> QuantizationReport {
        var header = GGUFEncoder()
        var sources: [QuantizationSource]
        if let model = checkpoint as? GGUFCheckpoint {
            let metadata = model.file.metadata
            for entry in metadata.entries where !entry.key.hasPrefix("split.") && entry.key != "general.alignment" {
                header.copy(entry, from: metadata)
            }
            sources = model.tensorNames.compactMap { name in
                model.stored(name).map { QuantizationSource(name: name, shape: $0.shape, origin: .stored([$0])) }
            }
        } else {
            let export = GGUFExport(checkpoint)
            try export.write(to: &header)
            sources = export.sources
        }
        header.set("general.quantization_version", 2)
        header.set("general.file_type", target.fileType)
        sources.sort { TensorName.precedes($0.name, $1.name) }
        let plans = try plans(sources)
        for plan in plans { header.add(plan.source.name, plan.type, shape: plan.source.shape) }
        return try write(plans, header, to: path, progress)
    }

    private func plans(_ sources: [QuantizationSource]) throws(ModelError) -> [Plan] {
        let configuration = checkpoint.configuration
        var mix = QuantizationMix(
            target, names: sources.map(\.name), layers: configuration.layerCount,
            experts: configuration.experts?.count ?? 0)
        var plans: [Plan] = []
        for source in sources {
            if let format = mix.format(source.name, shape: source.shape), let type = GGMLType(format) {
                plans.append(Plan(source: source, type: type, format: source.whole?.format == format ? nil : format))
            } else if checkpoint is GGUFCheckpoint, let whole = source.whole, let type = GGMLType(name: whole.spelling)
            {
                plans.append(Plan(source: source, type: type, format: nil))
            } else if let type = GGMLType(.f32) {
                plans.append(Plan(source: source, type: type, format: source.whole?.format == .f32 ? nil : .f32))
            }
        }
        return plans
    }

    private func write(
        _ plans: [Plan], _ header: GGUFEncoder, to path: String, _ progress: (QuantizationProgress) -> Void
    ) throws(ModelError) -> QuantizationReport {
        let (bytes, offsets, size) = header.encoded()
        let file = try PartialFile(path, byteCount: size)
        try file.write(bytes, at: 0)
        var report = QuantizationReport(path: path, target: target)
        let total = plans.reduce(0) { $0 + $1.source.elementCount }
        var done = 0
        for (index, plan) in plans.enumerated() {
            let source = plan.source
            progress(
                QuantizationProgress(
                    tensor: source.name, format: plan.type.name, index: index, count: plans.count,
                    fraction: total > 0 ? Double(done) / Double(total) : 1))
            var error: QuantizationError?
            if let format = plan.format {
                let bytesPerRow = source.columns / format.blockSize * format.bytesPerBlock
                error = try encoder.encode(source, as: format) { (bytes, _, firstRow) throws(ModelError) in
                    try file.write(bytes, at: offsets[index] + firstRow * bytesPerRow)
                }
            } else if let whole = source.whole {
                try encoder.checkCancelled()
                try file.write(try whole.bytes(), at: offsets[index])
            }
            source.forget()
            done += source.elementCount
            let byteCount = source.elementCount / plan.type.blockSize * plan.type.bytesPerBlock
            report.add(source, to: plan.type.name, bytes: byteCount, error: error)
        }
        try file.commit()
        return report
    }
}

extension QuantizationReport {
    mutating func add(_ source: QuantizationSource, to format: String, bytes: Int, error: QuantizationError?) {
        tensors.append(
            Tensor(
                name: source.name, from: source.spelling, to: format, shape: source.shape, bytes: bytes, error: error))
        bytesBefore += source.byteCount
        bytesAfter += bytes
    }
}

// The choices of a run, as bytes.

extension EvalOptions: Packed {
    private static let version: UInt8 = 1

    package func pack(into writer: inout PackedWriter) {
        writer.write(tag: Self.version)
        writer.write(name)
        writer.write(concurrency)
        writer.write(isAdaptive)
        writer.write(limit)
        writer.write(only.sorted())
        writer.write(epochs)
        writer.write(unsigned: seed)
        writer.write(usesCache)
        writer.write(retries)
        writer.write(budget.requests)
        writer.write(budget.tokens)
        writer.write(budget.cost)
        writer.write(budget.seconds)
        writer.write(group)
    }

    package init(from reader: inout PackedReader) throws(PackedReader.Damage) {
        guard try reader.tag() == Self.version else { throw PackedReader.Damage() }
        self.init(
            name: try reader.optional(), concurrency: try reader.int(), isAdaptive: try reader.bool(),
            limit: try reader.optional(), only: Set(try reader.array(String.self)), epochs: try reader.optional(),
            seed: try reader.unsigned(), usesCache: try reader.bool(), retries: try reader.int(),
            budget: EvalBudget(
                requests: try reader.optional(), tokens: try reader.optional(), cost: try reader.optional(),
                seconds: try reader.optional()),
            group: try reader.optional())
    }
}

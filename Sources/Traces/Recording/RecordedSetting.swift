internal import JSON
internal import LanguageModels

/// A setting of a model call: the attribute that records it, and how it is written and read.
///
/// A setting that is added to `all` is recorded, stored, exported, and read back without another edit.
struct RecordedSetting: Sendable {
    let name: String
    /// Returns the value to record; `nil` for none.
    let value: @Sendable (ModelCall) -> SpanRecord.Value?
    /// Reads a recorded value; ignores one that does not fit.
    let read: @Sendable (SpanRecord.Value, inout RecordedInside) -> Void

    /// Numeric settings that come first, so that equal calls have equal bytes in all versions.
    private static let firstFields: [SamplingField] = [
        .temperature, .topP, .frequencyPenalty, .presencePenalty, .minP, .typicalP, .repetitionPenalty,
    ]

    /// Returns the settings of a call in the order of their attributes: `all`, and fields outside
    /// `SamplingField.standard`.
    static func settings(of call: ModelCall) -> [RecordedSetting] {
        let extras = call.request.sampling.extraFields
        guard !extras.isEmpty, let end = all.lastIndex(where: { standardAttributes.contains($0.name) }) else {
            return all
        }
        return all[...end] + extras.map(sampling) + all[(end + 1)...]
    }

    /// Returns the setting of a recorded attribute with a number under a name that this program does not know.
    static func unknown(_ attribute: SpanRecord.Attribute) -> RecordedSetting? {
        let prefix = SamplingField.spanAttributePrefix
        guard attribute.name.hasPrefix(prefix), !all.contains(where: { $0.name == attribute.name }),
            attribute.value.number != nil
        else { return nil }
        return sampling(SamplingField(named: String(attribute.name.dropFirst(prefix.count))))
    }

    private static let standardAttributes = Set(SamplingField.standard.map(\.spanAttribute))

    /// The settings in the order of their attributes.
    static let all: [RecordedSetting] = {
        var settings: [RecordedSetting] = []
        settings.append(
            RecordedSetting(name: "orrery.model.specification") {
                $0.specification.map { .text($0) }
            } read: {
                $1.specification = $0.text
            })
        settings += (firstFields + SamplingField.standard.filter { !firstFields.contains($0) }).map(sampling)
        settings.append(count("gen_ai.request.max_tokens", \.maximumTokens))
        settings.append(
            RecordedSetting(name: "gen_ai.request.seed") {
                // Seeds beyond the integers of OTLP are written as text.
                $0.request.sampling.seed.map { seed in Int64(exactly: seed).map { .integer($0) } ?? .text(String(seed))
                }
            } read: {
                $1.sampling.seed = $0.text.map { UInt64($0) } ?? $0.integer.flatMap { UInt64(exactly: $0) }
            })
        settings.append(
            RecordedSetting(name: "gen_ai.request.stop_sequences") {
                let stop = $0.request.sampling.stop
                return stop.isEmpty ? nil : .list(stop.map { .text($0) })
            } read: {
                $1.sampling.stop = $0.elements.compactMap(\.text).filter { !$0.isEmpty }
            })
        settings.append(
            RecordedSetting(name: "orrery.sampling.bias") {
                let bias = $0.request.sampling.bias.map { (String($0.key), $0.value) }
                return bias.isEmpty ? nil : .text(Dictionary(uniqueKeysWithValues: bias).json())
            } read: { value, inside in
                forEachMember(of: value) { key, bias in
                    if let id = Int(key), let bias = bias.double { inside.sampling.bias[id] = bias }
                }
            })
        settings.append(
            RecordedSetting(name: "orrery.request.alternatives") {
                $0.request.alternatives > 0 ? .integer(Int64($0.request.alternatives)) : nil
            } read: {
                $1.alternatives = $0.count ?? 0
            })
        settings.append(
            RecordedSetting(name: "orrery.template.variables") {
                $0.request.templateVariables.isEmpty ? nil : .text($0.request.templateVariables.json())
            } read: { value, inside in
                forEachMember(of: value) { inside.templateVariables[$0] = $1.string }
            })
        return settings
    }()

    private static func sampling(_ field: SamplingField) -> RecordedSetting {
        RecordedSetting(name: field.spanAttribute) {
            switch $0.request.sampling[field] {
            case .number(let number): .number(number)
            case .count(let count): .integer(Int64(count))
            case nil: nil
            }
        } read: {
            if case .count = field.storage {
                $1.sampling[field] = $0.count.map(SamplingValue.count)
            } else {
                $1.sampling[field] = $0.number.map(SamplingValue.number)
            }
        }
    }

    private static func count(_ name: String, _ field: any WritableKeyPath<Sampling, Int?> & Sendable) -> Self {
        RecordedSetting(name: name) {
            $0.request.sampling[keyPath: field].map { .integer(Int64($0)) }
        } read: {
            $1.sampling[keyPath: field] = $0.count
        }
    }

    private static func forEachMember(of value: SpanRecord.Value, _ body: (String, JSONNode) -> Void) {
        // A text that is not JSON, from another program, has no members.
        guard let text = value.text, let document = try? JSONDocument(parsing: text) else { return }
        document.withRoot { root in
            for (key, value) in root.members { body(key.string ?? "", value) }
        }
    }
}

extension SpanRecord.Value {
    /// A positive number of things; `nil` for other values.
    var count: Int? { integer.flatMap { $0 > 0 && $0 <= Int32.max ? Int($0) : nil } }
}

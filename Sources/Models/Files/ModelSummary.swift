public import JSON
internal import Tensors

/// The contents of a model's files: sizes, formats, metadata, and tensors, even for models that Orrery cannot run.
public struct ModelSummary: Sendable {
    /// Tensors of one format.
    public struct Format: Hashable, Sendable {
        /// The file's own name for it: `Q4_K`, `BF16`, `NF4`.
        public var name: String
        public var tensors: Int
        public var parameters: Int
        public var bytes: Int
    }

    /// One line of the metadata.
    public struct Entry: Hashable, Sendable {
        public var key: String
        /// `u32`, `string[]`; JSON's kinds for config.json.
        public var type: String
        /// As text; long lists and texts are cut.
        public var value: String
    }

    /// One tensor.
    public struct Tensor: Hashable, Sendable {
        /// The file's own name.
        public var name: String
        /// GGUF name, if it differs; `nil` if no supported architecture uses the tensor.
        public var knownAs: String?
        public var format: String
        /// Outermost first.
        public var shape: [Int]
        public var bytes: Int
        /// The first byte, from the start of its file.
        public var offset: Int
        /// The file, where there are several.
        public var file: String
    }

    /// The path as it was given.
    public var path: String
    /// `GGUF version 3`, `safetensors`, `llama2.c`.
    public var kind: String
    /// Files with weights, with their sizes.
    public var files: [(path: String, bytes: Int)]
    /// Configuration; `nil` if the model is not supported, with the reason in `problem`.
    public var configuration: ModelConfiguration?
    public var problem: String?
    /// The most frequent by parameters first.
    public var formats: [Format]
    public var metadata: [Entry]
    /// In the order of the files.
    public var tensors: [Tensor]

    public var parameters: Int { formats.reduce(0) { $0 + $1.parameters } }
    /// Of the tensors, without headers.
    public var weightBytes: Int { formats.reduce(0) { $0 + $1.bytes } }
    public var bitsPerWeight: Double { parameters > 0 ? 8 * Double(weightBytes) / Double(parameters) : 0 }

    init(path: String, kind: String, files: [(path: String, bytes: Int)], metadata: [Entry]) {
        self.path = path
        self.kind = kind
        self.files = files
        self.metadata = metadata
        formats = []
        tensors = []
    }

    /// Adds a tensor to the table and to its format's sums.
    mutating func add(_ weights: StoredWeights, knownAs: String?, companionBytes: Int = 0) {
        let bytes = weights.byteCount + companionBytes
        tensors.append(
            Tensor(
                name: weights.name, knownAs: knownAs == weights.name ? nil : knownAs, format: weights.spelling,
                shape: weights.shape, bytes: bytes, offset: weights.offset, file: weights.file.path))
        let index = formats.firstIndex { $0.name == weights.spelling } ?? formats.count
        if index == formats.count {
            formats.append(Format(name: weights.spelling, tensors: 0, parameters: 0, bytes: 0))
        }
        formats[index].tensors += 1
        formats[index].parameters += weights.elementCount
        formats[index].bytes += bytes
    }

    mutating func sortFormats() { formats.sort { ($0.parameters, $1.name) > ($1.parameters, $0.name) } }

    /// Texts of models are foreign and may be books: the first part of one, on one line.
    static func shortened(_ text: some StringProtocol, to limit: Int = 120) -> String {
        let cut = text.prefix(limit)
        let line = String(
            String.UnicodeScalarView(cut.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
        return cut.endIndex == text.endIndex ? line : line + " …"
    }
}

extension ModelSummary: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("path", path)
            json.member("kind", kind)
            json.objects("files", of: files) { file, json in
                json.member("path", file.path)
                json.member("bytes", file.bytes)
            }
            json.member("runs", configuration != nil)
            json.member("problem", ifPresent: problem)
            json.member("configuration", ifPresent: configuration)
            json.member("parameters", parameters)
            json.member("weight_bytes", weightBytes)
            json.member("bits_per_weight", bitsPerWeight)
            json.member("formats", formats)
            json.member("metadata", metadata)
            json.member("tensors", tensors)
        }
    }
}

extension ModelSummary.Format: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("tensors", tensors)
            $0.member("parameters", parameters)
            $0.member("bytes", bytes)
        }
    }
}

extension ModelSummary.Entry: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("key", key)
            $0.member("type", type)
            $0.member("value", value)
        }
    }
}

extension ModelSummary.Tensor: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", name)
            $0.member("known_as", ifPresent: knownAs)
            $0.member("format", format)
            $0.member("shape", shape)
            $0.member("bytes", bytes)
            $0.member("offset", offset)
            $0.member("file", file)
        }
    }
}

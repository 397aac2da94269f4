/// The sizes of one call, in the order in which the operation names them: `m=512 n=512 k=64`.
public struct KernelShape: Hashable, Sendable, CustomStringConvertible {
    public struct Size: Hashable, Sendable {
        public var name: String
        public var value: Int
    }

    public private(set) var sizes: [Size]

    public init(_ sizes: KeyValuePairs<String, Int>) {
        self.sizes = sizes.map { Size(name: $0.key, value: $0.value) }
    }

    /// The size of that name; 0 if the operation has none.
    public subscript(name: String) -> Int {
        get { sizes.first { $0.name == name }?.value ?? 0 }
        set {
            if let index = sizes.firstIndex(where: { $0.name == name }) {
                sizes[index].value = newValue
            } else {
                sizes.append(Size(name: name, value: newValue))
            }
        }
    }

    /// `m=512 n=512 k=64`.
    public var description: String {
        sizes.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
    }
}

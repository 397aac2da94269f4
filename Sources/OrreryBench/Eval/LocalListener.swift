import Glibc

/// A listening port on this machine.
struct LocalListener {
    let port: UInt16
    private let descriptor: Int32

    init() {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = descriptor
        port = withUnsafeMutablePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, length)
                listen(listening, 4)
                return getsockname(listening, address, &length)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
    }
}

/// A listening socket with an abstract name, without a file.
final class AbstractListener {
    private let descriptor: Int32

    init(_ name: String) {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = [0] + Array(name.utf8).prefix(100)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)
        let listening = descriptor
        withUnsafePointer(to: &address) { pointer in
            _ = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(listening, $0, length) }
        }
        listen(descriptor, 4)
    }

    deinit { close(descriptor) }
}

import Glibc
import JSON
import Synchronization

/// A server on 127.0.0.1 that answers as Qdrant's documented REST interface does, from points that it keeps in memory;
/// an answer that a test gives it comes first.
final class QdrantDouble: Sendable {
    let port: UInt16
    private let state = Mutex(State())

    struct Point: Sendable {
        var vector: [Double]
        var payload: String
    }

    struct Request: Sendable {
        var line: String
        var head: String
        var body: String
    }

    struct State: Sendable {
        var size: Int64?
        var distance = ""
        var points: [Int64: Point] = [:]
        var requests: [Request] = []
        /// Whole answers, byte for byte, that the next requests get.
        var forced: [String] = []
        /// Where it is not empty, requests must bring it.
        var key = ""
    }

    var address: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { state.withLock { $0.requests } }
    func force(_ answers: String...) { state.withLock { $0.forced += answers } }
    func demand(_ key: String) { state.withLock { $0.key = key } }

    init() {
        setenv("no_proxy", "127.0.0.1,localhost", 1)
        setenv("NO_PROXY", "127.0.0.1,localhost", 1)
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listener, address, length)
                listen(listener, 64)
                getsockname(listener, address, &length)
            }
            return UInt16(bigEndian: pointer.pointee.sin_port)
        }
        // The thread, and with it the server, lives as long as the process.
        var thread = pthread_t()
        let work = Unmanaged.passRetained(Listening(server: self, socket: listener))
        pthread_create(
            &thread, nil,
            { @Sendable argument in
                guard let argument else { return nil }
                let work = Unmanaged<Listening>.fromOpaque(argument).takeRetainedValue()
                while case let client = accept(work.socket, nil, nil), client >= 0 { work.server.serve(client) }
                return nil
            }, work.toOpaque())
        pthread_detach(thread)
    }

    private final class Listening: Sendable {
        let server: QdrantDouble
        let socket: Int32
        init(server: QdrantDouble, socket: Int32) { (self.server, self.socket) = (server, socket) }
    }

    /// One request a connection.
    private func serve(_ client: Int32) {
        defer { close(client) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        var text = ""
        while true {
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { return }
            bytes += chunk[..<count]
            text = String(decoding: bytes, as: UTF8.self)
            guard let end = text.firstRange(of: "\r\n\r\n") else { continue }
            let wanted = text[..<end.lowerBound].split(separator: "\r\n").first {
                $0.lowercased().hasPrefix("content-length:")
            }
            .flatMap { Int($0.dropFirst(15).drop { $0 == " " }) }
            if text[end.upperBound...].utf8.count >= wanted ?? 0 {
                let head = String(text[..<end.lowerBound])
                let line = head.split(separator: "\r\n").first.map {
                    $0.split(separator: " ").prefix(2).joined(separator: " ")
                }
                let request = Request(line: line ?? "", head: head, body: String(text[end.upperBound...]))
                let answer = Array(state.withLock { $0.answer(to: request) }.utf8)
                _ = send(client, answer, answer.count, Int32(MSG_NOSIGNAL))
                shutdown(client, Int32(SHUT_RDWR))
                return
            }
        }
    }

    static func http(_ status: String, _ body: String) -> String {
        "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
            + "Connection: close\r\n\r\n"
            + body
    }
}

extension QdrantDouble.State {
    mutating func answer(to request: QdrantDouble.Request) -> String {
        requests.append(request)
        if !forced.isEmpty { return forced.removeFirst() }
        if !key.isEmpty, !request.head.contains("api-key: \(key)\r\n"), !request.head.hasSuffix("api-key: \(key)") {
            return QdrantDouble.http("401 Unauthorized", "Must provide an API key or an Authorization bearer token")
        }
        let parts = request.line.split(separator: " ").map(String.init)
        guard parts.count == 2, let body = try? JSONDocument(parsing: request.body.isEmpty ? "{}" : request.body) else {
            return Self.refusal("400 Bad Request", "Format error in JSON body")
        }
        return body.withRoot { answer(parts[0], parts[1], $0) }
    }

    private static func result(_ text: String) -> String {
        QdrantDouble.http("200 OK", #"{"result":\#(text),"status":"ok","time":0.001}"#)
    }

    private static func refusal(_ status: String, _ text: String) -> String {
        QdrantDouble.http(status, #"{"status":{"error":"\#(text)"},"time":0.0}"#)
    }

    private mutating func answer(_ method: String, _ path: String, _ body: JSONNode) -> String {
        if (method, path) == ("GET", "/collections") {
            return Self.result(#"{"collections":[\#(size == nil ? "" : #"{"name":"manuals"}"#)]}"#)
        }
        guard path.hasPrefix("/collections/manuals") else {
            return Self.refusal("404 Not Found", "Not found: Collection")
        }
        let rest = path.dropFirst("/collections/manuals".count)
        if method == "PUT", rest.isEmpty {
            guard size == nil else {
                return Self.refusal("409 Conflict", "Wrong input: Collection `manuals` already exists!")
            }
            size = body["vectors"]?["size"]?.int
            distance = body["vectors"]?["distance"]?.string ?? ""
            return Self.result("true")
        }
        guard let size else { return Self.refusal("404 Not Found", "Not found: Collection `manuals` doesn't exist!") }
        switch (method, rest) {
        case ("GET", ""):
            return Self.result(#"{"config":{"params":{"vectors":{"size":\#(size),"distance":"\#(distance)"}}}}"#)
        case ("PUT", "/points?wait=true"):
            for point in body["points"]?.elements.map(\.self) ?? [] {
                let vector = point["vector"]?.elements.compactMap(\.double) ?? []
                guard vector.count == size, let id = point["id"]?.uint else {
                    return Self.refusal("400 Bad Request", "Wrong input: Vector dimension error")
                }
                let payload = point["payload"].map { String(decoding: $0.source, as: UTF8.self) }
                points[Int64(id)] = QdrantDouble.Point(vector: vector, payload: payload ?? "{}")
            }
            return Self.result(#"{"operation_id":1,"status":"completed"}"#)
        case ("POST", "/points/delete?wait=true"):
            for id in body["points"]?.elements.compactMap(\.int) ?? [] { points[id] = nil }
            return Self.result(#"{"operation_id":2,"status":"completed"}"#)
        case ("PUT", "/index?wait=true"): return Self.result(#"{"operation_id":3,"status":"completed"}"#)
        case ("POST", "/points/count"): return Self.result(#"{"count":\#(points.count)}"#)
        case ("POST", "/points"):
            let ids = body["ids"]?.elements.compactMap(\.int) ?? []
            return Self.result("[" + ids.sorted().compactMap { record($0, body) }.joined(separator: ",") + "]")
        case ("POST", "/points/scroll"): return scroll(body)
        case ("POST", "/points/query"): return query(body)
        default: return Self.refusal("404 Not Found", "no such path")
        }
    }

    private func record(_ id: Int64, _ body: JSONNode) -> String? {
        points[id].map { point in
            let vector = body["with_vector"]?.bool == true ? ",\"vector\":\(point.vector)" : ""
            return #"{"id":\#(id),"payload":\#(point.payload)\#(vector)}"#
        }
    }

    private func scroll(_ body: JSONNode) -> String {
        let wanted = body["filter"]?["must"]?.element(at: 0)?["match"]?["value"]?.string
        let limit = min(Int(body["limit"]?.int ?? 10), 2)
        let from = body["offset"]?.int ?? 0
        let kept = points.keys.sorted().filter { id in
            guard id >= from else { return false }
            guard let wanted, let payload = try? JSONDocument(parsing: points[id]?.payload ?? "") else { return true }
            return payload.withRoot { $0["document"]?.string } == wanted
        }
        let page = kept.prefix(limit).compactMap { record($0, body) }.joined(separator: ",")
        let next = kept.count > limit ? "\(kept[limit])" : "null"
        return Self.result(#"{"points":[\#(page)],"next_page_offset":\#(next)}"#)
    }

    private func query(_ body: JSONNode) -> String {
        let question = body["query"]?.elements.compactMap(\.double) ?? []
        func dot(_ one: [Double], _ other: [Double]) -> Double { zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } }
        let scored = points.map { id, point -> (id: Int64, score: Double) in
            switch distance {
            case "Euclid":
                (id, zip(question, point.vector).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot())
            case "Dot": (id, dot(question, point.vector))
            default:
                (
                    id,
                    dot(question, point.vector)
                        / (dot(question, question) * dot(point.vector, point.vector)).squareRoot()
                )
            }
        }.sorted { distance == "Euclid" ? $0.score < $1.score : $0.score > $1.score }
        let found = scored.prefix(Int(body["limit"]?.int ?? 10)).map {
            #"{"id":\#($0.id),"version":1,"score":\#($0.score)}"#
        }
        return Self.result(#"{"points":[\#(found.joined(separator: ","))]}"#)
    }
}

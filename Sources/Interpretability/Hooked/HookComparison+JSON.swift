public import JSON

extension HookComparison: JSONRepresentable {
    public func write(to json: inout JSONWriter) {
        json.object { json in
            for group in groups {
                json.member(group.name) { json in
                    json.object {
                        $0.member("tensors", group.tensors)
                        $0.member("worst", group.worst)
                        $0.member("at", group.at)
                    }
                }
            }
        }
    }
}

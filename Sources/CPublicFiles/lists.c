#include "lists.h"

cpublic_file cpublic_file_at(size_t place) {
    const cpublic_file *lists[] = {cpublic_client, cpublic_static, cpublic_templates, cpublic_texts};
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++) {
        for (const cpublic_file *file = lists[list]; file->path; file++) {
            if (place-- == 0) return *file;
        }
    }
    return (cpublic_file){NULL, NULL, 0};
}

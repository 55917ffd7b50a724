#ifndef VDNN_RUNTIME_SETUP_PROFILE_CACHE_H
#define VDNN_RUNTIME_SETUP_PROFILE_CACHE_H

/* Profiles kept from run to run: one file per machine in a folder, in the form of --profile.
 *
 * A machine is a key: processor and its instruction sets, versions of the libraries, threads, and
 * the version of this library. The file's name is the key's hash; the key in the file must match.
 *
 * Invariant: neither a bad file nor a bad folder fails a run: what cannot be read is measured, and
 * what cannot be written is a warning. A file appears whole or not at all; of two processes that
 * write at once the later one adds its rows to those of the earlier one, and what both write in the
 * same instant is at worst measured again. Threads: one at a time.
 *
 *     status = vdnn_profile_cache_open(folder, key, store, messages, &cache);
 *     status = vdnn_profile_cache_check(cache, graph, device, false, &observer);
 *     status = vdnn_measured_profile_create(graph, device, store, &observer, &profile);
 *     vdnn_profile_cache_save(cache);
 *     vdnn_profile_cache_close(cache);
 */

#include "runtime/base/messages.h"
#include "runtime/measure/measured_profile.h"

typedef struct vdnn_profile_cache vdnn_profile_cache;

/* Adds the rows of the folder's file, if there is one, to the store, whose key is `key`. Store and
 * messages are borrowed until close. VDNN_NO_MEMORY. */
vdnn_status vdnn_profile_cache_open(const char *folder, const char *key, vdnn_profile_store *store,
                                    const vdnn_messages *messages, vdnn_profile_cache **cache);

/* Measures a few of the file's rows again (stored_rows.h), the first time it is called. Where they
 * differ, the store is emptied; where it has none of this network, its rates are dropped, as
 * nothing shows that they hold, unless this is for a first look. Accepts NULL. */
vdnn_status vdnn_profile_cache_check(vdnn_profile_cache *cache, const vdnn_graph *graph,
                                     vdnn_device *device, bool looks,
                                     const vdnn_measure_observer *observer);

/* Writes what was measured since it was opened or saved; creates the folder. Accepts NULL. */
void vdnn_profile_cache_save(vdnn_profile_cache *cache);

/* Accepts NULL. */
void vdnn_profile_cache_close(vdnn_profile_cache *cache);

#endif
